// @lock WriteBehind$DirtyQueue
// @type PRODUCER-CONSUMER+CONDITION capacity=unbounded
// @role put WriteBehind$DirtyQueue.markDirty
// @role take WriteBehind$DirtyQueue.nextBatch
// @role wait WriteBehind$DirtyQueue.flush
// @role notify WriteBehind$DirtyQueue.written

// @lock WriteBehind$Cache
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock WriteBehind$Cache.beginGet
// @role read-unlock WriteBehind$Cache.endGet
// @role write-lock WriteBehind$Cache.beginPut
// @role write-unlock WriteBehind$Cache.endPut

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A write-behind cache: changed entries are gathered and written in batches; flush waits until all that was changed before is on disk. */
public class WriteBehind {
    static final class DirtyQueue {
        private LinkedHashMap<Integer, String> dirty = new LinkedHashMap<>();
        private long changed;
        private long onDisk;

        synchronized void markDirty(int key, String value) {
            dirty.put(key, value);
            changed++;
            notifyAll();
        }

        synchronized Batch nextBatch() throws InterruptedException {
            while (dirty.isEmpty()) {
                wait();
            }
            Batch b = new Batch(dirty, changed);
            dirty = new LinkedHashMap<>();
            return b;
        }

        synchronized void written(Batch b) {
            onDisk = b.upTo;
            notifyAll();
        }

        synchronized void flush() throws InterruptedException {
            long target = changed;
            while (onDisk < target) {
                wait();
            }
        }
    }

    static final class Batch {
        final Map<Integer, String> entries;
        final long upTo;

        Batch(Map<Integer, String> entries, long upTo) {
            this.entries = entries;
            this.upTo = upTo;
        }
    }

    static final class Cache {
        private final Map<Integer, String> map = new HashMap<>();
        private int readers;
        private int writersWaiting;
        private boolean writing;

        private synchronized void beginGet() throws InterruptedException {
            while (writing || writersWaiting > 0) {
                wait();
            }
            readers++;
        }

        private synchronized void endGet() {
            if (--readers == 0) {
                notifyAll();
            }
        }

        private synchronized void beginPut() throws InterruptedException {
            writersWaiting++;
            try {
                while (writing || readers > 0) {
                    wait();
                }
                writing = true;
            } finally {
                writersWaiting--;
            }
        }

        private synchronized void endPut() {
            writing = false;
            notifyAll();
        }

        String get(int k) throws InterruptedException {
            beginGet();
            try {
                pause(1, 3);
                return map.get(k);
            } finally {
                endGet();
            }
        }

        void put(int k, String v) throws InterruptedException {
            beginPut();
            try {
                map.put(k, v);
                pause(1, 3);
            } finally {
                endPut();
            }
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Cache cache = new Cache();
        DirtyQueue queue = new DirtyQueue();
        Map<Integer, String> disk = new java.util.concurrent.ConcurrentHashMap<>();
        for (int i = 0; i < 4; i++) {
            int me = i;
            loop("session-" + i, () -> {
                ThreadLocalRandom r = ThreadLocalRandom.current();
                int k = me * 10 + r.nextInt(10);
                if (r.nextInt(3) == 0) {
                    String v = "v" + r.nextInt(100);
                    cache.put(k, v);
                    queue.markDirty(k, v);
                    if (r.nextInt(4) == 0) {
                        queue.flush();
                        check(v.equals(disk.get(k)), "not on disk");
                    }
                } else {
                    cache.get(k);
                }
                pause(1, 5);
            });
        }
        loop("flusher", () -> {
            Batch b = queue.nextBatch();
            pause(2, 5);
            disk.putAll(b.entries);
            queue.written(b);
        });
        finish(args);
    }
}
