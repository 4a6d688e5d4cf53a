// @lock PageBudget$Budget
// @type SEMAPHORE+CONDITION permits=64
// @role acquire PageBudget$Budget.reserve
// @role release PageBudget$Budget.release
// @role wait PageBudget$Budget.awaitPressure
// @role notify PageBudget$Budget.reserve

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory budget of a query engine: 64 pages, of which operators reserve some. On the same monitor a spiller waits for the
 * budget to come under pressure; it then asks the operators to make do with less.
 */
public final class PageBudget {
    private static final int PAGES = 64;

    static final class Budget {
        private int used;
        private long reservations;

        synchronized void reserve(int pages) throws InterruptedException {
            while (used + pages > PAGES) {
                wait();
            }
            used += pages;
            reservations++;
            notifyAll();
        }

        synchronized void release(int pages) {
            used -= pages;
            notifyAll();
        }

        /** Waits for a time of pressure after the given number of reservations; returns their number then. */
        synchronized long awaitPressure(long after) throws InterruptedException {
            while (used < 48 || reservations <= after) {
                wait();
            }
            return reservations;
        }
    }

    private static final AtomicInteger pagesInUse = new AtomicInteger();
    private static final AtomicInteger appetite = new AtomicInteger(16);
    private static final AtomicLong queries = new AtomicLong();
    private static volatile String failure;

    private static final class Operator extends Thread {
        private final Budget budget;

        Operator(int number, Budget budget) {
            super("operator-" + number);
            this.budget = budget;
            setDaemon(true);
        }

        @Override
        public void run() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            try {
                while (!isInterrupted()) {
                    int pages = random.nextInt(4, 9 + appetite.get());
                    budget.reserve(pages);
                    if (pagesInUse.addAndGet(pages) > PAGES) {
                        failure = "over budget";
                    }
                    sleep(random.nextInt(1, 6));
                    pagesInUse.addAndGet(-pages);
                    budget.release(pages);
                    queries.incrementAndGet();
                    sleep(random.nextInt(3));
                }
            } catch (InterruptedException e) {
                failure = "interrupted";
            }
        }
    }

    private static final class Spiller extends Thread {
        private final Budget budget;

        Spiller(Budget budget) {
            super("spiller");
            this.budget = budget;
            setDaemon(true);
        }

        @Override
        public void run() {
            long seen = 0;
            try {
                while (!isInterrupted()) {
                    long now = budget.awaitPressure(seen);
                    if (now <= seen) {
                        failure = "no new reservation";
                    }
                    seen = now;
                    appetite.set(6);
                    sleep(2);
                    appetite.set(16);
                    sleep(1);
                }
            } catch (InterruptedException e) {
                failure = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Budget budget = new Budget();
        for (int i = 0; i < 7; i++) {
            new Operator(i, budget).start();
        }
        new Spiller(budget).start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + queries);
    }
}
