// @lock ChunkPipe$b
// @type PRODUCER-CONSUMER capacity=4
// @role put ChunkPipe$b.a
// @role take ChunkPipe$b.b
//
// @lock ChunkPipe$c
// @type LATCH count=2
// @role count-down ChunkPipe$c.a
// @role await ChunkPipe$c.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Uploads in chunks: split, compressed and stored by three stages; each upload waits until its store and its digest are done. Obfuscated. */
public final class ChunkPipe {
    static final class a {
        final c a;
        final int b;
        final boolean c;

        a(c d, int e, boolean f) {
            a = d;
            b = e;
            c = f;
        }
    }

    static final class b {
        private final a[] a = new a[4];
        private long b;
        private long c;

        synchronized void a(a d) throws InterruptedException {
            while (b - c >= 4) {
                wait();
            }
            a[(int) (b++ & 3)] = d;
            notifyAll();
        }

        synchronized a b() throws InterruptedException {
            for (;;) {
                if (b > c) {
                    a d = a[(int) (c++ & 3)];
                    notifyAll();
                    return d;
                }
                wait();
            }
        }
    }

    static final class c {
        private int a = 2;
        private long b;

        synchronized void a(long d) {
            b += d;
            if (--a == 0) {
                notifyAll();
            }
        }

        synchronized long b() throws InterruptedException {
            while (a != 0) {
                wait();
            }
            return b;
        }
    }

    interface d {
        void a() throws InterruptedException;
    }

    private static final AtomicLong e = new AtomicLong();
    private static volatile boolean f;

    static void a(d g) {
        Thread h = new Thread(() -> {
            try {
                g.a();
            } catch (InterruptedException i) {
                Thread.currentThread().interrupt();
            }
        });
        h.setDaemon(true);
        h.start();
    }

    static void a(b g, b h, b i) throws InterruptedException {
        while (!f) {
            a j = g.b();
            if (j.b % 2 == 0) {
                Thread.sleep(1);
            }
            h.a(j);
            i.a(j);
        }
    }

    static void a(b g) throws InterruptedException {
        long h = 0;
        while (!f) {
            a i = g.b();
            h += i.b;
            if (ThreadLocalRandom.current().nextInt(6) == 0) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            }
            if (i.c) {
                i.a.a(h);
                h = 0;
            }
        }
    }

    static void b(b g) throws InterruptedException {
        while (!f) {
            c h = new c();
            int i = ThreadLocalRandom.current().nextInt(2, 10);
            long j = 0;
            for (int k = 1; k <= i; k++) {
                j += k;
                g.a(new a(h, k, k == i));
            }
            if (h.b() != 2 * j) {
                f = true;
            }
            e.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
        }
    }

    public static void main(String[] g) throws InterruptedException {
        long h = g.length > 0 ? Long.parseLong(g[0]) : 600;
        for (int i = 0; i < 4; i++) {
            b j = new b();
            b k = new b();
            b l = new b();
            a(() -> b(j));
            a(() -> a(j, k, l));
            a(() -> a(k));
            a(() -> a(l));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(h * 1000);
        if (f) {
            throw new IllegalStateException("a chunk was lost");
        }
        System.out.println("DONE " + e);
    }
}
