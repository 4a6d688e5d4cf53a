// A plan that many look at and a few change; whoever looks never waits for one who only wants to change. A quiet counter beside it.
// @lock Parapet$Plan
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Parapet$Plan.look
// @role read-unlock Parapet$Plan.lookAway
// @role write-lock Parapet$Plan.draw
// @role write-lock Parapet$Plan.drawWithin
// @role write-unlock Parapet$Plan.putDown
// @lock Parapet$Counter
// @type MUTEX
// @role enter Parapet$Counter.count
// @role enter Parapet$Counter.value
// @quiet
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Parapet {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Plan {
        private int looking;
        private boolean drawing;

        synchronized void look() throws InterruptedException {
            while (drawing) {
                wait();
            }
            looking++;
        }

        synchronized void lookAway() {
            if (--looking == 0) {
                notifyAll();
            }
        }

        synchronized void draw() throws InterruptedException {
            while (drawing || looking > 0) {
                wait();
            }
            drawing = true;
        }

        synchronized boolean drawWithin(long ms) throws InterruptedException {
            long deadline = System.currentTimeMillis() + ms;
            while (drawing || looking > 0) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            drawing = true;
            return true;
        }

        synchronized void putDown() {
            drawing = false;
            notifyAll();
        }
    }

    static final class Counter {
        private long n;

        void count() {
            synchronized (this) {
                n++;
            }
        }

        long value() {
            synchronized (this) {
                return n;
            }
        }
    }

    final Plan plan = new Plan();
    final Counter counter = new Counter();
    final AtomicInteger lookers = new AtomicInteger();
    final AtomicInteger drawers = new AtomicInteger();
    long before;

    void mason() throws InterruptedException {
        plan.look();
        lookers.incrementAndGet();
        if (drawers.get() != 0) {
            broken = "looked at half a drawing";
        }
        nap(1, 4);
        lookers.decrementAndGet();
        plan.lookAway();
        counter.count();
        OPS.incrementAndGet();
        nap(4, 12);
    }

    void architect(boolean hurried) throws InterruptedException {
        if (hurried) {
            if (!plan.drawWithin(10)) {
                nap(1, 2);
                return;
            }
        } else {
            plan.draw();
        }
        if (drawers.incrementAndGet() != 1 || lookers.get() != 0) {
            broken = "drew while others were there";
        }
        nap(1, 4);
        drawers.decrementAndGet();
        plan.putDown();
        nap(3, 8);
    }

    void clerk() throws InterruptedException {
        long v = counter.value();
        if (v < before) {
            broken = "counter went back";
        }
        before = v;
        nap(15, 20);
    }

    public static void main(String[] args) throws InterruptedException {
        Parapet p = new Parapet();
        for (int i = 0; i < 4; i++) {
            crew("mason-" + i, p::mason);
        }
        crew("architect", () -> p.architect(false));
        crew("draughtsman", () -> p.architect(true));
        crew("clerk", p::clerk);
        watch(args);
    }

    interface Step {
        void go() throws InterruptedException;
    }

    static void crew(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.go();
                }
            } catch (InterruptedException e) {
                broken = name + " interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void watch(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.currentTimeMillis() + (args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
    }
}
