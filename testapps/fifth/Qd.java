// @lock java.util.HashMap#a
// @type MUTEX
// @role enter Qd$b.a
// @role enter Qd$b.c

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A registry of metrics, shipped through an obfuscator: the map of counters is its own lock; a reporter reads and resets it. */
public final class Qd {
    static final class b {
        private final Map<String, long[]> d = new HashMap<>();
        private long e;

        void a(String k, int v) throws InterruptedException {
            synchronized (d) {
                long[] x = d.get(k);
                if (x == null) {
                    x = new long[2];
                    d.put(k, x);
                }
                x[0]++;
                x[1] += v;
                if ((++e & 3) == 0) {
                    Thread.sleep(1);
                }
            }
        }

        long[] c() throws InterruptedException {
            long[] r = new long[2];
            synchronized (d) {
                for (long[] x : d.values()) {
                    r[0] += x[0];
                    r[1] += x[1];
                }
                Thread.sleep(1);
                d.clear();
            }
            return r;
        }
    }

    private static final b f = new b();
    private static final AtomicLong g = new AtomicLong();
    private static final AtomicLong h = new AtomicLong();
    private static volatile boolean i;

    static void j() throws InterruptedException {
        int v = ThreadLocalRandom.current().nextInt(100);
        f.a("m" + v % 7, v);
        g.addAndGet(v);
        if (v % 3 == 0) {
            Thread.sleep(1 + v % 4);
        }
    }

    static void k() throws InterruptedException {
        h.addAndGet(f.c()[1]);
        Thread.sleep(4);
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] t = new Thread[7];
        for (int n = 0; n < t.length; n++) {
            boolean r = n == 0;
            t[n] = new Thread(() -> {
                try {
                    while (!i) {
                        if (r) {
                            k();
                        } else {
                            j();
                        }
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }, "t" + n);
            t[n].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        i = true;
        for (Thread x : t) {
            x.join();
        }
        k();
        if (g.get() != h.get()) {
            throw new IllegalStateException("recorded " + g + ", reported " + h);
        }
        System.out.println("DONE " + g);
    }
}
