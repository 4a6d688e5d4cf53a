// @lock MemoryBroker$Budget
// @type SEMAPHORE permits=64
// @role acquire MemoryBroker.reserve
// @role release MemoryBroker$Lease.close

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A query engine's memory: operators reserve some of 64 pages before they sort, and give all of them back at once. */
public final class MemoryBroker {
    static final class Budget {
        private final int total;
        private int used;

        Budget(int total) {
            this.total = total;
        }

        private boolean fits(int pages) {
            return used + pages <= total;
        }
    }

    static final class Lease implements AutoCloseable {
        private final Budget budget;
        private int pages;

        Lease(Budget budget, int pages) {
            this.budget = budget;
            this.pages = pages;
        }

        int pages() {
            return pages;
        }

        @Override
        public void close() {
            synchronized (budget) {
                budget.used -= pages;
                pages = 0;
                budget.notifyAll();
            }
        }
    }

    private final Budget budget = new Budget(64);

    Lease reserve(int pages) throws InterruptedException {
        if (pages > budget.total) {
            throw new IllegalArgumentException(pages + " pages will never be free");
        }
        synchronized (budget) {
            while (!budget.fits(pages)) {
                budget.wait();
            }
            budget.used += pages;
        }
        return new Lease(budget, pages);
    }

    private static final AtomicInteger taken = new AtomicInteger();
    private static final AtomicLong sorts = new AtomicLong();
    private static volatile String failure;

    private static void sort(MemoryBroker broker) throws InterruptedException {
        try (Lease lease = broker.reserve(ThreadLocalRandom.current().nextInt(8, 33))) {
            int n = lease.pages();
            if (taken.addAndGet(n) > 64) {
                failure = "more pages in use than there are";
            }
            Thread.sleep(1 + n / 8);
            taken.addAndGet(-n);
        }
        sorts.incrementAndGet();
        Thread.sleep(1);
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        MemoryBroker broker = new MemoryBroker();
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (failure == null) {
                        sort(broker);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "operator-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + sorts);
    }
}
