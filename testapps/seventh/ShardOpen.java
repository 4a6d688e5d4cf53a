// @lock ShardOpen$Pending
// @type LATCH count=6
// @role count-down ShardOpen$Pending.done
// @role await ShardOpen$Pending.awaitAll

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An index is usable once its six shards are open: opened by a pool, awaited by those who want to search. */
public final class ShardOpen {
    static final class Pending {
        private int left;

        Pending(int count) {
            left = count;
        }

        void done() {
            synchronized (this) {
                if (left > 0 && --left == 0) {
                    notifyAll();
                }
            }
        }

        boolean awaitAll(long time, TimeUnit unit) throws InterruptedException {
            final long deadline = System.nanoTime() + unit.toNanos(time);
            synchronized (this) {
                while (left > 0) {
                    long nanos = deadline - System.nanoTime();
                    if (nanos <= 0) {
                        return false;
                    }
                    TimeUnit.NANOSECONDS.timedWait(this, nanos);
                }
                return true;
            }
        }
    }

    static final class Index {
        private static final int SHARDS = 6;
        final Pending pending = new Pending(SHARDS);
        final AtomicInteger open = new AtomicInteger();
        final AtomicInteger searched = new AtomicInteger();

        void openShard() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            open.incrementAndGet();
            pending.done();
        }

        void search() {
            try {
                if (!pending.awaitAll(10, TimeUnit.SECONDS) || open.get() != SHARDS) {
                    failures.incrementAndGet();
                }
            } catch (InterruptedException e) {
                failures.incrementAndGet();
            }
            searched.incrementAndGet();
            searches.incrementAndGet();
        }
    }

    private static final ConcurrentLinkedQueue<Runnable> openers = new ConcurrentLinkedQueue<>();
    private static final ConcurrentLinkedQueue<Runnable> searchers = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger failures = new AtomicInteger();
    private static final AtomicLong searches = new AtomicLong();

    private static void start(int n, String name, ConcurrentLinkedQueue<Runnable> source) {
        for (int i = 0; i < n; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        Runnable r = source.poll();
                        if (r == null) {
                            Thread.sleep(1);
                        } else {
                            r.run();
                        }
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, name + "-" + i);
            t.setDaemon(true);
            t.start();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        start(4, "opener", openers);
        start(3, "searcher", searchers);
        System.out.println("READY");
        System.out.flush();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end) {
            Index index = new Index();
            for (int i = 0; i < 3; i++) {
                searchers.add(index::search);
            }
            for (int i = 0; i < Index.SHARDS; i++) {
                openers.add(index::openShard);
            }
            while (index.searched.get() < 3 && failures.get() == 0) {
                Thread.sleep(1);
            }
            if (failures.get() != 0) {
                throw new IllegalStateException("searched in an index that was not open");
            }
        }
        System.out.println("DONE " + searches);
    }
}
