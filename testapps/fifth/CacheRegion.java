// @lock CacheRegion$Gate
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock CacheRegion$Gate.beginRead
// @role read-unlock CacheRegion$Gate.endRead
// @role write-lock CacheRegion$Gate.beginWrite
// @role write-unlock CacheRegion$Gate.endWrite

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A cache behind a read-write lock used through two helpers that take a block of code; reads may nest, writes may nest and read. */
public final class CacheRegion {
    static final class Gate {
        private final Map<Thread, Integer> readers = new HashMap<>();
        private Thread writer;
        private int writes;

        <R> R reading(Supplier<R> body) {
            beginRead();
            try {
                return body.get();
            } finally {
                endRead();
            }
        }

        void writing(Runnable body) {
            beginWrite();
            try {
                body.run();
            } finally {
                endWrite();
            }
        }

        private synchronized void beginRead() {
            Thread me = Thread.currentThread();
            while (writer != null && writer != me) {
                await();
            }
            readers.merge(me, 1, Integer::sum);
        }

        private synchronized void endRead() {
            Thread me = Thread.currentThread();
            readers.computeIfPresent(me, (t, n) -> n > 1 ? n - 1 : null);
            if (readers.isEmpty() && writer == null) {
                notifyAll();
            }
        }

        private synchronized void beginWrite() {
            Thread me = Thread.currentThread();
            if (writer != me) {
                if (readers.containsKey(me)) {
                    throw new IllegalStateException("a reader cannot become a writer");
                }
                while (writer != null || !readers.isEmpty()) {
                    await();
                }
                writer = me;
            }
            writes++;
        }

        private synchronized void endWrite() {
            if (--writes == 0) {
                writer = null;
                notifyAll();
            }
        }

        private void await() {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted in the cache", e);
            }
        }
    }

    private final Gate gate = new Gate();
    private final Map<String, Long> entries = new HashMap<>();
    private long sum;

    Long get(String key) {
        return gate.reading(() -> entries.get(key));
    }

    boolean balanced() {
        return gate.reading(() -> {
            long s = 0;
            for (String key : entries.keySet()) {
                s += get(key);
            }
            nap(1);
            return s == sum;
        });
    }

    void put(String key, long value) {
        gate.writing(() -> {
            Long old = entries.put(key, value);
            nap(1);
            sum += value - (old == null ? 0 : old);
        });
    }

    void putPair(String a, String b, long value) {
        gate.writing(() -> {
            put(a, value);
            put(b, -value);
            if (!balanced()) {
                throw new IllegalStateException("unbalanced within a write");
            }
        });
    }

    private static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static volatile RuntimeException failure;

    private static void reader(CacheRegion cache) {
        if (!cache.balanced()) {
            throw new IllegalStateException("a reader saw half an update");
        }
        nap(ThreadLocalRandom.current().nextInt(2, 7));
    }

    private static void writer(CacheRegion cache) {
        int n = ThreadLocalRandom.current().nextInt(8);
        if (n < 4) {
            cache.put("k" + n, n * 100L);
        } else {
            cache.putPair("k" + n, "k" + (n + 1), n);
        }
        nap(ThreadLocalRandom.current().nextInt(4, 9));
    }

    private static void loop(String name, Runnable step) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (RuntimeException e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        CacheRegion cache = new CacheRegion();
        for (int i = 0; i < 5; i++) {
            loop("reader-" + i, () -> reader(cache));
        }
        for (int i = 0; i < 2; i++) {
            loop("writer-" + i, () -> writer(cache));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw failure;
        }
        System.out.println("DONE " + ops);
    }
}
