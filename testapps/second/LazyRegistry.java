// @lock LazyRegistry$Entry
// @type MUTEX
// @role enter LazyRegistry.lookup
// @role enter LazyRegistry.expire

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** A cache that computes on first use: a lock object per entry, itself made on first use; double-checked reads. */
public class LazyRegistry {
    static final class Entry {
        volatile long[] table;
        final AtomicInteger building = new AtomicInteger();
    }

    private final AtomicReferenceArray<Entry> entries = new AtomicReferenceArray<>(6);
    private final AtomicLong built = new AtomicLong();
    private volatile String broken;

    private Entry entry(int key) {
        Entry e = entries.get(key);
        if (e == null) {
            entries.compareAndSet(key, null, new Entry());
            e = entries.get(key);
        }
        return e;
    }

    long lookup(int key, int index) throws InterruptedException {
        Entry e = entry(key);
        long[] t = e.table;
        if (t == null) {
            synchronized (e) {
                t = e.table;
                if (t == null) {
                    if (e.building.incrementAndGet() != 1) {
                        broken = "built twice at a time";
                    }
                    t = build(key);
                    e.table = t;
                    e.building.decrementAndGet();
                }
            }
        }
        return t[index];
    }

    void expire(int key) {
        Entry e = entry(key);
        synchronized (e) {
            e.table = null;
        }
    }

    private long[] build(int key) throws InterruptedException {
        long[] t = new long[64];
        for (int i = 0; i < t.length; i++) {
            t[i] = key * 1000L + i;
        }
        Thread.sleep(2);
        built.incrementAndGet();
        return t;
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        LazyRegistry reg = new LazyRegistry();
        AtomicLong ops = new AtomicLong();
        for (int i = 0; i < 5; i++) {
            Random rnd = new Random(i);
            boolean expirer = i == 0;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        int key = rnd.nextInt(6);
                        int index = rnd.nextInt(64);
                        if (expirer) {
                            reg.expire(key);
                        } else if (reg.lookup(key, index) != key * 1000L + index) {
                            reg.broken = "wrong value for " + key;
                        }
                        ops.incrementAndGet();
                        Thread.sleep(rnd.nextInt(3));
                    }
                } catch (InterruptedException e) {
                    reg.broken = "interrupted";
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (reg.broken != null) {
            System.out.println(reg.broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
    }
}
