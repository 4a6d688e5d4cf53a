// @lock BakeryOrders$Promise
// @type LATCH count=1 form=future
// @role count-down BakeryOrders$Promise.deliver
// @role await BakeryOrders$Promise.get
// @role await BakeryOrders$Promise.getWithin
//
// @lock BakeryOrders$Batch
// @type JOIN
// @role join java.lang.Thread.join

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A bakery: orders answered by promises, and dough kneaded by a thread per batch that the night shift joins. */
public class BakeryOrders {
    static final class Promise<T> {
        private T value;

        synchronized void deliver(T v) {
            if (value == null) {
                value = v;
                notifyAll();
            }
        }

        synchronized T get() throws InterruptedException {
            while (value == null) {
                wait();
            }
            return value;
        }

        /** Null if the bread is not ready in time. */
        synchronized T getWithin(long millis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + millis;
            while (value == null) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    return null;
                }
                wait(left);
            }
            return value;
        }
    }

    static final class Order {
        final int loaves = ThreadLocalRandom.current().nextInt(1, 20);
        final Promise<Integer> bread = new Promise<>();
    }

    static final class Batch extends Thread {
        int kneaded;

        @Override
        public void run() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 12));
            } catch (InterruptedException e) {
                return;
            }
            kneaded = 12;
        }
    }

    static final ConcurrentLinkedQueue<Order> COUNTER = new ConcurrentLinkedQueue<>();
    static final AtomicLong SOLD = new AtomicLong();
    static volatile boolean closed;
    static volatile String complaint;

    static void customer() throws InterruptedException {
        while (!closed) {
            Order o = new Order();
            COUNTER.add(o);
            Integer got = o.bread.getWithin(300);
            if (got == null) {
                got = o.bread.get();
            }
            if (got != o.loaves) {
                complaint = "ordered " + o.loaves + ", got " + got;
            }
            SOLD.incrementAndGet();
            Thread.sleep(3);
        }
    }

    static void regular() throws InterruptedException {
        while (!closed) {
            Order o = new Order();
            COUNTER.add(o);
            if (o.bread.get() != o.loaves) {
                complaint = "wrong bread";
            }
            Thread.sleep(5);
        }
    }

    static void baker() throws InterruptedException {
        while (!closed) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
            Order o = COUNTER.poll();
            while (o != null) {
                o.bread.deliver(o.loaves);
                o = COUNTER.poll();
            }
        }
    }

    static void nightShift() throws InterruptedException {
        while (!closed) {
            List<Batch> batches = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Batch b = new Batch();
                batches.add(b);
                b.start();
            }
            for (Batch b : batches) {
                b.join();
                if (b.kneaded != 12) {
                    complaint = "raw dough";
                }
            }
            Thread.sleep(10);
        }
    }

    interface Job {
        void work() throws InterruptedException;
    }

    static void start(Job job) {
        Thread t = new Thread(() -> {
            try {
                job.work();
            } catch (InterruptedException e) {
                complaint = "interrupted";
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        start(BakeryOrders::customer);
        start(BakeryOrders::customer);
        start(BakeryOrders::regular);
        start(BakeryOrders::baker);
        start(BakeryOrders::nightShift);
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (complaint == null && System.nanoTime() < end) {
            Thread.sleep(40);
        }
        closed = true;
        System.out.println(complaint == null ? "DONE " + SOLD : complaint);
        System.exit(complaint == null ? 0 : 1);
    }
}
