// @lock FrameQuota$Budget
// @type SEMAPHORE permits=64
// @role acquire FrameQuota$Budget.reserve
// @role release FrameQuota$Budget.unreserve

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Sorters in a database reserve up to half of sixty-four memory frames before they start. */
public final class FrameQuota {
    static final class Tally {
        int used;
        final int limit;

        Tally(int limit) {
            this.limit = limit;
        }

        boolean fits(int frames) {
            return used + frames <= limit;
        }
    }

    static final class Budget {
        private final Tally tally = new Tally(64);

        void reserve(int frames) throws InterruptedException {
            synchronized (this) {
                if (!tally.fits(frames)) {
                    do {
                        wait();
                    } while (!tally.fits(frames));
                }
                tally.used += frames;
            }
        }

        void unreserve(int frames) {
            synchronized (this) {
                tally.used -= frames;
                notifyAll();
            }
        }
    }

    static final class Sorter extends Thread {
        private final FrameQuota db;

        Sorter(FrameQuota db, int n) {
            super("sorter-" + n);
            this.db = db;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!db.stopping) {
                    int frames = 1 << ThreadLocalRandom.current().nextInt(2, 6);
                    db.budget.reserve(frames);
                    if (db.inUse.addAndGet(frames) > 64) {
                        db.exceeded = true;
                    }
                    try {
                        Thread.sleep(1 + frames / 6);
                    } finally {
                        db.inUse.addAndGet(-frames);
                        db.budget.unreserve(frames);
                    }
                    db.sorts.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                }
            } catch (InterruptedException e) {
                db.exceeded = true;
            }
        }
    }

    final Budget budget = new Budget();
    final AtomicInteger inUse = new AtomicInteger();
    final AtomicLong sorts = new AtomicLong();
    volatile boolean exceeded;
    volatile boolean stopping;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        FrameQuota db = new FrameQuota();
        Sorter[] sorters = new Sorter[8];
        for (int i = 0; i < sorters.length; i++) {
            sorters[i] = new Sorter(db, i);
            sorters[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        db.stopping = true;
        for (Sorter s : sorters) {
            s.join(5_000);
        }
        if (db.exceeded || db.inUse.get() != 0) {
            throw new IllegalStateException("more frames in use than there are");
        }
        System.out.println("DONE " + db.sorts);
    }
}
