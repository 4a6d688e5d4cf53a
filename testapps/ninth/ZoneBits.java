// @lock java.lang.Object#a
// @type READ-WRITE preference=writers
// @role read-lock ZoneBits$b.a
// @role read-unlock ZoneBits$b.b
// @role write-lock ZoneBits$b.c
// @role write-unlock ZoneBits$b.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A name server's zone: readers, writers and those who wait in one word of bits behind a private object. Obfuscated. */
public final class ZoneBits {
    static final class b {
        private static final long e = 1L << 40;
        private static final long f = 1L << 20;
        private final Object g = new Object();
        private long h;

        boolean a(long i) throws InterruptedException {
            synchronized (g) {
                long j = System.nanoTime() + i * 1_000_000;
                while (h >= f) {
                    long k = (j - System.nanoTime()) / 1_000_000;
                    if (k <= 0) {
                        return false;
                    }
                    g.wait(k);
                }
                h++;
                return true;
            }
        }

        void b() {
            synchronized (g) {
                if (--h % f == 0) {
                    g.notifyAll();
                }
            }
        }

        void c() throws InterruptedException {
            synchronized (g) {
                h += f;
                boolean l = false;
                try {
                    while (h >= e || (h & f - 1) != 0) {
                        g.wait();
                    }
                    l = true;
                } finally {
                    h -= f;
                    if (!l) {
                        g.notifyAll();
                    }
                }
                h |= e;
            }
        }

        void d() {
            synchronized (g) {
                h &= ~e;
                g.notifyAll();
            }
        }
    }

    static final class m {
        final b n = new b();
        String o = "0";
        String p = "0";
    }

    static final AtomicLong q = new AtomicLong();
    static final AtomicLong r = new AtomicLong();
    static volatile boolean s;

    static void t(m u) {
        try {
            while (!s) {
                if (u.n.a(100)) {
                    try {
                        String v = u.o;
                        Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                        if (!v.equals(u.p)) {
                            s = true;
                        }
                    } finally {
                        u.n.b();
                    }
                    q.incrementAndGet();
                } else {
                    r.incrementAndGet();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            }
        } catch (InterruptedException w) {
            Thread.currentThread().interrupt();
        }
    }

    static void x(m u) {
        try {
            for (int y = 0; !s; y++) {
                u.n.c();
                try {
                    u.o = String.valueOf(y);
                    Thread.sleep(1);
                    u.p = String.valueOf(y);
                } finally {
                    u.n.d();
                }
                q.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
            }
        } catch (InterruptedException w) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] z) throws InterruptedException {
        long A = z.length > 0 ? Long.parseLong(z[0]) : 600;
        m B = new m();
        for (int C = 0; C < 7; C++) {
            Thread D = C < 5 ? new Thread(() -> t(B)) : new Thread(() -> x(B));
            D.setDaemon(true);
            D.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(A * 1000);
        if (s) {
            throw new IllegalStateException("half a zone was served");
        }
        System.out.println("DONE " + q);
    }
}
