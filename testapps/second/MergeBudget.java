// @lock MergeBudget$Budget
// @type SEMAPHORE permits=96
// @role acquire MergeBudget$Budget.reserve
// @role release MergeBudget$Budget.giveBack

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Sort runs reserve several megabytes at once from one budget: a resource allocator with acquire(n)/release(n). */
public final class MergeBudget {
    static final class Budget {
        private final int total;
        private int free;

        Budget(int total) {
            this.total = total;
            this.free = total;
        }

        synchronized void reserve(int megs) throws InterruptedException {
            if (megs > total) {
                throw new IllegalArgumentException("never satisfiable: " + megs);
            }
            while (megs > free) {
                wait();
            }
            free -= megs;
        }

        synchronized void giveBack(int megs) {
            free += megs;
            notifyAll();
        }
    }

    public static void main(String[] a) throws InterruptedException {
        final long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final int total = 96;
        final Budget budget = new Budget(total);
        final AtomicInteger inUse = new AtomicInteger();
        final AtomicLong ops = new AtomicLong();
        final long end = System.nanoTime() + seconds * 1_000_000_000L;
        final Thread[] runs = new Thread[6];
        final boolean[] bad = new boolean[1];
        for (int i = 0; i < runs.length; i++) {
            final int base = 8 + 8 * i;
            runs[i] = new Thread("run-" + i) {
                @Override
                public void run() {
                    try {
                        while (System.nanoTime() < end) {
                            int want = base + ThreadLocalRandom.current().nextInt(24);
                            budget.reserve(want);
                            if (inUse.addAndGet(want) > total) {
                                bad[0] = true;
                            }
                            Thread.sleep(2 + ThreadLocalRandom.current().nextInt(3));
                            inUse.addAndGet(-want);
                            budget.giveBack(want);
                            ops.incrementAndGet();
                            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
                        }
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            };
        }
        for (Thread t : runs) {
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        for (Thread t : runs) {
            t.join();
        }
        if (bad[0] || inUse.get() != 0) {
            System.out.println("budget overdrawn");
            System.exit(1);
        }
        System.out.println("DONE " + ops);
    }
}
