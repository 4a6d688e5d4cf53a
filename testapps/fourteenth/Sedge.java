// Letter boxes holding one reference each, and a queue that lives in a static utility class.
// @lock Sedge$Nest
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put Sedge$Nest.lay
// @role take Sedge$Nest.collect
// @lock java.lang.Class#push
// @type PRODUCER-CONSUMER capacity=5
// @role put Sedge$Basket.push
// @role take Sedge$Basket.pull
import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Sedge {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Egg {
        final long number;

        Egg(long number) {
            this.number = number;
        }
    }

    static final class Nest {
        private Egg egg;
        private long laid;
        private long previous;

        void lay() throws InterruptedException {
            synchronized (this) {
                while (egg != null) {
                    wait();
                }
                egg = new Egg(++laid);
                notifyAll();
            }
        }

        Egg collect() throws InterruptedException {
            synchronized (this) {
                while (egg == null) {
                    wait();
                }
                Egg e = egg;
                egg = null;
                if (e.number != previous + 1) {
                    broken = "egg " + e.number + " after " + previous;
                }
                previous = e.number;
                notifyAll();
                return e;
            }
        }
    }

    static final class Basket {
        private static final LinkedList<Egg> EGGS = new LinkedList<>();

        private Basket() {
        }

        static synchronized void push(Egg e) throws InterruptedException {
            while (EGGS.size() >= 5) {
                Basket.class.wait();
            }
            EGGS.add(e);
            Basket.class.notifyAll();
        }

        static synchronized Egg pull() throws InterruptedException {
            while (EGGS.isEmpty()) {
                Basket.class.wait();
            }
            Basket.class.notifyAll();
            return EGGS.removeFirst();
        }
    }

    static final AtomicLong IN = new AtomicLong();
    static final AtomicLong OUT = new AtomicLong();

    static void hen(Nest n) throws InterruptedException {
        n.lay();
        nap(2, 9);
    }

    static void farmer(Nest n) throws InterruptedException {
        Egg e = n.collect();
        nap(1, 8);
        IN.incrementAndGet();
        Basket.push(e);
    }

    static void grader() throws InterruptedException {
        Basket.pull();
        if (OUT.incrementAndGet() > IN.get()) {
            broken = "graded an egg nobody collected";
        }
        OPS.incrementAndGet();
        // the scales warm up now and then, meanwhile the basket fills
        nap(1, ThreadLocalRandom.current().nextInt(8) == 0 ? 25 : 2);
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            Nest n = new Nest();
            crew("hen-" + i, () -> hen(n));
            crew("farmer-" + i, () -> farmer(n));
        }
        crew("grader", Sedge::grader);
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
