// @lock java.lang.Object#a
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock StockBoard$a.a
// @role write-lock StockBoard$a.b
// @role read-unlock StockBoard$a.c
// @role write-unlock StockBoard$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A board of stock, one number for the state (below zero: written, above: read), one way out for both. Obfuscated. */
public final class StockBoard {
    static final class a {
        private final Object d = new Object();
        private int e;

        void a() throws InterruptedException {
            synchronized (d) {
                while (e < 0) {
                    d.wait();
                }
                ++e;
            }
        }

        void b() throws InterruptedException {
            synchronized (d) {
                while (e != 0) {
                    d.wait();
                }
                e = -1;
            }
        }

        void c() {
            synchronized (d) {
                if (e < 0) {
                    e = 0;
                } else {
                    e--;
                }
                if (e == 0) {
                    d.notifyAll();
                }
            }
        }
    }

    private static final a[] f = {new a(), new a()};
    private static final int[][] g = new int[2][8];
    private static final AtomicLong h = new AtomicLong();
    private static volatile boolean i;

    private static void j(int k) throws InterruptedException {
        f[k].a();
        int l = 0;
        for (int m : g[k]) {
            l += m;
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        if (l != 0) {
            i = true;
        }
        f[k].c();
        h.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
    }

    private static void n(int k) throws InterruptedException {
        int o = ThreadLocalRandom.current().nextInt(8);
        f[k].b();
        g[k][o]++;
        Thread.sleep(1);
        g[k][7 - o]--;
        f[k].c();
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
    }

    public static void main(String[] args) throws InterruptedException {
        long p = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int q = 0; q < 8; q++) {
            int r = q;
            Thread s = new Thread(() -> {
                try {
                    while (!i) {
                        if (r < 5) {
                            j(r % 2);
                        } else {
                            n(r % 2);
                        }
                    }
                } catch (InterruptedException t) {
                    Thread.currentThread().interrupt();
                }
            });
            s.setDaemon(true);
            s.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(p * 1000);
        if (i) {
            throw new IllegalStateException("the board did not add up");
        }
        System.out.println("DONE " + h);
    }
}
