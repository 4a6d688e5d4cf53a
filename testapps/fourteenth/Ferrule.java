// Two monitors with two purposes each: a queue that also guards a till, and permits whose return an overseer waits for.
// @lock Ferrule$Shop
// @type PRODUCER-CONSUMER+MUTEX capacity=4
// @role put Ferrule$Shop.order
// @role take Ferrule$Shop.nextOrder
// @role enter Ferrule$Shop.refund
// @role enter Ferrule$Shop.balance
// @lock Ferrule$Tools
// @type SEMAPHORE+CONDITION permits=3
// @role acquire Ferrule$Tools.fetch
// @role release Ferrule$Tools.hangUp
// @role wait Ferrule$Tools.allHanging
// @role notify Ferrule$Tools.hangUp
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Ferrule {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Shop {
        private final Deque<Integer> orders = new ArrayDeque<>();
        private long cash;
        private long booked;

        synchronized void order(int length) throws InterruptedException {
            while (orders.size() == 4) {
                wait();
            }
            orders.addLast(length);
            notifyAll();
        }

        synchronized int nextOrder() throws InterruptedException {
            while (orders.isEmpty()) {
                wait();
            }
            int n = orders.removeFirst();
            notifyAll();
            return n;
        }

        synchronized void refund(int amount) throws InterruptedException {
            cash -= amount;
            Thread.sleep(1); // the drawer opens
            booked -= amount;
        }

        synchronized boolean balance() throws InterruptedException {
            long c = cash;
            Thread.sleep(1);
            return c == booked && cash == c;
        }
    }

    static final class Tools {
        static final int ALL = 3;
        private int hanging = ALL;

        void fetch() throws InterruptedException {
            synchronized (this) {
                while (hanging < 1) {
                    wait();
                }
                hanging--;
            }
        }

        void hangUp() {
            synchronized (this) {
                hanging++;
                notifyAll();
            }
        }

        void allHanging() throws InterruptedException {
            synchronized (this) {
                while (hanging < ALL) {
                    wait();
                }
            }
        }
    }

    final Shop shop = new Shop();
    final Tools tools = new Tools();
    final AtomicInteger inUse = new AtomicInteger();
    final AtomicLong ordered = new AtomicLong();
    final AtomicLong cut = new AtomicLong();

    void customer() throws InterruptedException {
        int n = ThreadLocalRandom.current().nextInt(1, 30);
        ordered.addAndGet(n);
        shop.order(n);
        nap(1, 7);
    }

    void cutter() throws InterruptedException {
        int n = shop.nextOrder();
        if (cut.addAndGet(n) > ordered.get()) {
            broken = "cut more than ordered";
        }
        OPS.incrementAndGet();
        nap(2, 7);
    }

    void cashier(boolean auditor) throws InterruptedException {
        if (auditor) {
            if (!shop.balance()) {
                broken = "till does not balance";
            }
        } else {
            shop.refund(ThreadLocalRandom.current().nextInt(9));
        }
        nap(3, 7);
    }

    void smith() throws InterruptedException {
        tools.fetch();
        if (inUse.incrementAndGet() > Tools.ALL) {
            broken = "more tools in use than there are";
        }
        nap(2, 6);
        inUse.decrementAndGet();
        tools.hangUp();
        OPS.incrementAndGet();
        // now and then everybody rests a little longer, so that the wall fills
        nap(1, ThreadLocalRandom.current().nextInt(3) == 0 ? 14 : 4);
    }

    void overseer() throws InterruptedException {
        tools.allHanging();
        OPS.incrementAndGet();
        nap(3, 8);
    }

    public static void main(String[] args) throws InterruptedException {
        Ferrule f = new Ferrule();
        for (int i = 0; i < 2; i++) {
            final boolean auditor = i == 1;
            crew("customer-" + i, f::customer);
            crew("cutter-" + i, f::cutter);
            crew("cashier-" + i, () -> f.cashier(auditor));
        }
        for (int i = 0; i < 5; i++) {
            crew("smith-" + i, f::smith);
        }
        crew("overseer", f::overseer);
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
