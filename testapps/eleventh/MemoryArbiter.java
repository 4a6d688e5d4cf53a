// @lock MemoryArbiter$ExecutionPool
// @type SEMAPHORE permits=64
// @role acquire MemoryArbiter$MemoryPool.reserve
// @role release MemoryArbiter$MemoryPool.free
// @role release MemoryArbiter$MemoryPool.freeAll
//
// @lock MemoryArbiter$SpillFiles
// @type MUTEX
// @role enter MemoryArbiter$SpillFiles.spill

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A query engine's memory budget of 64 pages: tasks reserve, grow and free; a task that has waited for long spills to disk. */
public final class MemoryArbiter {
    abstract static class MemoryPool {
        private final Map<String, Integer> byTask = new HashMap<>();
        private int used;

        protected abstract int capacity();

        /** The pages granted: all of them, or none when time ran out. */
        final synchronized int reserve(String task, int pages, long maxMillis) throws InterruptedException {
            long start = System.currentTimeMillis();
            while (used + pages > capacity()) {
                long left = start + maxMillis - System.currentTimeMillis();
                if (left <= 0) {
                    return 0;
                }
                wait(left);
            }
            used += pages;
            byTask.merge(task, pages, Integer::sum);
            return pages;
        }

        final synchronized void free(String task, int pages) {
            int held = byTask.getOrDefault(task, 0);
            if (held < pages) {
                throw new IllegalArgumentException(task + " frees " + pages + " of " + held);
            }
            byTask.put(task, held - pages);
            used -= pages;
            notifyAll();
        }

        final synchronized int freeAll(String task) {
            Integer held = byTask.remove(task);
            if (held == null) {
                return 0;
            }
            used -= held;
            notifyAll();
            return held;
        }
    }

    static final class ExecutionPool extends MemoryPool {
        @Override
        protected int capacity() {
            return 64;
        }
    }

    static final class SpillFiles {
        private long pages;
        private int files;

        synchronized void spill(int n) throws InterruptedException {
            pages += n;
            files++;
            Thread.sleep(1);
        }

        synchronized boolean plausible() {
            return pages >= files;
        }
    }

    private static final AtomicInteger outside = new AtomicInteger();
    private static final AtomicLong queries = new AtomicLong();
    private static volatile String failure;

    private static void task(MemoryPool pool, SpillFiles files, String name) {
        try {
            while (failure == null) {
                runQuery(pool, files, name);
                queries.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalArgumentException e) {
            failure = e.getMessage();
        }
    }

    private static void runQuery(MemoryPool pool, SpillFiles files, String name) throws InterruptedException {
        int build = pool.reserve(name, ThreadLocalRandom.current().nextInt(4, 17), 60);
        hold(build);
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        int sort = pool.reserve(name, 12, 2);
        hold(sort);
        if (sort == 0) {
            if (build > 2) {
                outside.addAndGet(-(build / 2));
                pool.free(name, build / 2);
                build -= build / 2;
            }
            files.spill(12);
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        outside.addAndGet(-build - sort);
        if (pool.freeAll(name) != build + sort) {
            failure = "the books of " + name + " are wrong";
        }
    }

    private static void hold(int pages) {
        if (outside.addAndGet(pages) > 64) {
            failure = "more pages than there are";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        MemoryPool pool = new ExecutionPool();
        SpillFiles files = new SpillFiles();
        for (int i = 0; i < 12; i++) {
            String name = "task-" + i;
            Thread t = new Thread(() -> task(pool, files, name), name);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null || !files.plausible()) {
            throw new IllegalStateException(String.valueOf(failure));
        }
        System.out.println("DONE " + queries);
    }
}
