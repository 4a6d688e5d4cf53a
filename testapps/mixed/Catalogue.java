// @lock Catalogue$a
// @type READ-WRITE+MUTEX preference=readers
// @role read-lock Catalogue$a.a
// @role read-unlock Catalogue$a.b
// @role write-lock Catalogue$a.c
// @role write-unlock Catalogue$a.d
// @role enter Catalogue$a.e

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A catalogue read and rewritten under a read-write lock whose monitor also guards the statistics of searches. Obfuscated. */
public final class Catalogue {
    static final class a {
        private int f;
        private boolean g;
        private final long[] h = new long[4];

        synchronized void a() throws InterruptedException {
            while (g) {
                wait();
            }
            f++;
        }

        synchronized void b() {
            if (--f == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            while (g || f > 0) {
                wait();
            }
            g = true;
        }

        synchronized void d() {
            g = false;
            notifyAll();
        }

        synchronized long e(int i) throws InterruptedException {
            h[i & 3]++;
            if (i % 3 == 0) {
                Thread.sleep(1);
            }
            return h[0] + h[1] + h[2] + h[3];
        }
    }

    private static final a j = new a();
    private static final AtomicLong k = new AtomicLong();
    private static int l;
    private static int m;
    private static volatile boolean n;

    private static void o(int p) throws InterruptedException {
        ThreadLocalRandom q = ThreadLocalRandom.current();
        if (p < 3) {
            j.a();
            int r = l;
            Thread.sleep(q.nextInt(1, 3));
            if (r != m) {
                n = true;
            }
            j.b();
            Thread.sleep(q.nextInt(2, 6));
        } else if (p == 3) {
            j.c();
            l++;
            Thread.sleep(1);
            m++;
            j.d();
            Thread.sleep(q.nextInt(3, 9));
        } else {
            j.e(q.nextInt(100));
            k.incrementAndGet();
            Thread.sleep(q.nextInt(1, 6));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long s = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int t = 0; t < 7; t++) {
            int u = t;
            Thread v = new Thread(() -> {
                try {
                    while (!n) {
                        o(u);
                    }
                } catch (InterruptedException w) {
                    Thread.currentThread().interrupt();
                }
            });
            v.setDaemon(true);
            v.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(s * 1000);
        if (n) {
            throw new IllegalStateException("a search met a half-written catalogue");
        }
        System.out.println("DONE " + k);
    }
}
