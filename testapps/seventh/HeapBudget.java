// @lock HeapBudget$Budget
// @type SEMAPHORE permits=12
// @role acquire HeapBudget$Budget.reserve
// @role release HeapBudget$Budget.free

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Parsers that reserve memory before they read a document: twelve megabytes in all, one to six at a time. */
public final class HeapBudget {
    static final class Budget {
        private final int total;
        private int used;

        Budget(int total) {
            this.total = total;
        }

        void reserve(int megabytes) throws InterruptedException {
            if (megabytes > total) {
                throw new IllegalArgumentException(megabytes + " of " + total);
            }
            synchronized (this) {
                awaitRoom(megabytes);
                used += megabytes;
            }
        }

        private void awaitRoom(int megabytes) throws InterruptedException {
            while (!fits(megabytes)) {
                wait();
            }
        }

        private boolean fits(int megabytes) {
            return used + megabytes <= total;
        }

        synchronized void free(int megabytes) {
            if (megabytes > used) {
                throw new IllegalStateException("freed more than was reserved");
            }
            used -= megabytes;
            notifyAll();
        }
    }

    private static volatile boolean stop;
    private static volatile boolean broken;
    private static final AtomicInteger inUse = new AtomicInteger();
    private static final AtomicLong documents = new AtomicLong();

    private static void parse(Budget budget, int size) throws InterruptedException {
        budget.reserve(size);
        try {
            broken |= inUse.addAndGet(size) > 12;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        } finally {
            inUse.addAndGet(-size);
            budget.free(size);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Budget budget = new Budget(12);
        Thread[] parsers = new Thread[7];
        for (int i = 0; i < parsers.length; i++) {
            parsers[i] = new Thread(() -> {
                try {
                    while (!stop) {
                        parse(budget, ThreadLocalRandom.current().nextInt(1, 7));
                        documents.incrementAndGet();
                        Thread.sleep(1);
                    }
                } catch (InterruptedException | RuntimeException e) {
                    broken = true;
                }
            }, "parser-" + i);
            parsers[i].setDaemon(true);
            parsers[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : parsers) {
            t.join(5_000);
            broken |= t.isAlive();
        }
        if (broken || inUse.get() != 0) {
            throw new IllegalStateException("the budget was exceeded");
        }
        System.out.println("DONE " + documents);
    }
}
