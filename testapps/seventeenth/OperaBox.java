// @lock OperaBox$Queue
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock OperaBox$Queue.put
// @role read-unlock OperaBox$Queue.took
// @role write-lock OperaBox$Queue.take
// @role write-unlock OperaBox$Queue.took
//
// @lock OperaBox$Latch
// @type SEMAPHORE permits=4
// @role acquire OperaBox$Latch.await
// @role acquire OperaBox$Latch.awaitFor
// @role release OperaBox$Latch.countDown

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A seat plan that is looked at and changed, and four telephones to sell it by. The names are relics of another design. */
public class OperaBox {
    /** n &gt; 0: that many look at the plan; -1: somebody changes it. */
    static class Queue {
        private final Object monitor = this;
        private int n;

        void put() throws InterruptedException {
            synchronized (monitor) {
                while (n < 0) {
                    monitor.wait();
                }
                n = n + 1;
            }
        }

        void take() throws InterruptedException {
            synchronized (monitor) {
                while (n != 0) {
                    monitor.wait();
                }
                n = -1;
            }
        }

        void took() {
            synchronized (monitor) {
                if (n == 0) {
                    throw new IllegalStateException("nobody inside");
                }
                n = n < 0 ? 0 : n - 1;
                if (n == 0) {
                    monitor.notifyAll();
                }
            }
        }
    }

    /** Telephones: busy ones are counted up to a limit. */
    static class Latch {
        private final int lines;
        private int busy;

        Latch(int lines) {
            this.lines = lines;
        }

        synchronized void await() throws InterruptedException {
            while (busy >= lines) {
                wait();
            }
            busy++;
        }

        synchronized boolean awaitFor(long ms) throws InterruptedException {
            long until = System.nanoTime() + ms * 1_000_000L;
            while (busy >= lines) {
                long left = (until - System.nanoTime()) / 1_000_000L;
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            busy++;
            return true;
        }

        synchronized void countDown() {
            busy--;
            notifyAll();
        }
    }

    static final int[] SEATS = new int[50];
    static final Queue PLAN = new Queue();
    static final Latch PHONES = new Latch(4);
    static final AtomicInteger TALKING = new AtomicInteger();
    static final AtomicLong OPS = new AtomicLong();
    static volatile String scandal;

    static int count() throws InterruptedException {
        PLAN.put();
        try {
            int sum = 0;
            for (int i = 0; i < 25; i++) {
                sum += SEATS[i];
            }
            Thread.sleep(2);
            for (int i = 25; i < 50; i++) {
                sum += SEATS[i];
            }
            return sum;
        } finally {
            PLAN.took();
        }
    }

    static void move() throws InterruptedException {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        PLAN.take();
        try {
            SEATS[r.nextInt(25)]++;
            Thread.sleep(2);
            SEATS[25 + r.nextInt(25)]--;
        } finally {
            PLAN.took();
        }
    }

    static void call(boolean patient) throws InterruptedException {
        if (patient) {
            PHONES.await();
        } else if (!PHONES.awaitFor(40)) {
            return;
        }
        try {
            if (TALKING.incrementAndGet() > 4) {
                scandal = "five on four lines";
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(6, 14));
            TALKING.decrementAndGet();
        } finally {
            PHONES.countDown();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 11; i++) {
            final int id = i;
            Thread t = new Thread("p" + i) {
                @Override
                public void run() {
                    try {
                        while (!isInterrupted()) {
                            if (id < 3) {
                                if (count() != 0) {
                                    scandal = "half a move seen";
                                }
                                Thread.sleep(ThreadLocalRandom.current().nextInt(4, 10));
                            } else if (id < 5) {
                                move();
                                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 12));
                            } else {
                                call(id % 2 == 0);
                                Thread.sleep(2);
                            }
                            OPS.incrementAndGet();
                        }
                    } catch (InterruptedException | RuntimeException e) {
                        scandal = e.toString();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (scandal == null && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        if (scandal == null) {
            System.out.println("DONE " + OPS);
            System.exit(0);
        }
        System.out.println(scandal);
        System.exit(1);
    }
}
