// @lock SimTime$d
// @type CONDITION
// @role wait SimTime$d.a
// @role notify SimTime$d.b

import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Simulated time: machines sleep until a moment of it, and the simulation moves it on, by steps of any length. Obfuscated. */
public final class SimTime {
    static abstract class c {
        abstract long a(long e) throws InterruptedException;
    }

    static final class d extends c {
        private long f;
        private final TreeMap<Long, Integer> g = new TreeMap<>();

        synchronized long a(long h) throws InterruptedException {
            if (h > f) {
                g.merge(h, 1, Integer::sum);
                try {
                    while (h > f) {
                        wait();
                    }
                } finally {
                    g.computeIfPresent(h, (i, j) -> j == 1 ? null : j - 1);
                }
            }
            return f;
        }

        synchronized boolean b(long k) {
            f += k;
            if (!g.isEmpty() && g.firstKey() <= f) {
                notifyAll();
                return true;
            }
            return false;
        }

        synchronized long c() {
            return f;
        }
    }

    static final AtomicLong l = new AtomicLong();
    static final AtomicLong m = new AtomicLong();
    static volatile boolean n;

    static void o(c p, int q) {
        try {
            long r = 0;
            while (!n) {
                r += ThreadLocalRandom.current().nextInt(1, q);
                long s = p.a(r);
                if (s < r || m.get() < r) {
                    n = true;
                }
                r = Math.max(r, s - q);
                l.incrementAndGet();
                if (l.get() % 4 == 0) {
                    Thread.sleep(1);
                }
            }
        } catch (InterruptedException t) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] u) throws InterruptedException {
        long v = System.nanoTime() + 1_000_000_000L * (u.length > 0 ? Long.parseLong(u[0]) : 600);
        d w = new d();
        for (int x = 0; x < 6; x++) {
            int y = 10 + 4 * x;
            Thread z = new Thread(() -> o(w, y));
            z.setDaemon(true);
            z.start();
        }
        System.out.println("READY");
        System.out.flush();
        while (System.nanoTime() - v < 0) {
            int A = ThreadLocalRandom.current().nextInt(1, 8);
            m.addAndGet(A);
            w.b(A);
            Thread.sleep(A % 2 + 1);
        }
        if (n || w.c() != m.get()) {
            throw new IllegalStateException("time went wrong");
        }
        System.out.println("DONE " + l);
    }
}
