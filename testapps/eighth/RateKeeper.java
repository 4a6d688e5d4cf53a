// @lock RateKeeper$a
// @type DELAY
// @role delay RateKeeper$a.a
//
// @lock RateKeeper$b
// @type MUTEX
// @role enter RateKeeper$b.a
// @role enter RateKeeper$b.b

import java.util.concurrent.atomic.AtomicLong;

/** A game: physics, sound and drawing run at rates of their own, paced by the clock, on one world. Obfuscated. */
public final class RateKeeper {
    static final class a {
        private final long b;
        private long c = System.nanoTime();

        a(long d) {
            b = d;
        }

        synchronized void a() throws InterruptedException {
            c += b;
            long e = c - System.nanoTime();
            if (e < -20 * b) {
                c -= e;
            }
            while (e > 0) {
                wait(e / 1000000, (int) (e % 1000000));
                e = c - System.nanoTime();
            }
        }
    }

    static final class b {
        private int c;
        private int d = 1000;
        private int e;

        void a(int f) throws InterruptedException {
            synchronized (this) {
                c += f;
                Thread.sleep(1);
                d -= f;
                e++;
            }
        }

        synchronized boolean b() {
            return c + d == 1000 && e >= 0;
        }
    }

    static final AtomicLong c = new AtomicLong();
    static volatile boolean d;
    static volatile boolean e;

    static void f(String g, long h, b i, int j) {
        new Thread(() -> {
            a k = new a(h);
            try {
                for (int l = 0; !e; l++) {
                    if (j != 0) {
                        i.a(l % 2 == 0 ? j : -j);
                    } else if (!i.b()) {
                        d = true;
                    }
                    c.incrementAndGet();
                    k.a();
                }
            } catch (InterruptedException m) {
                d = true;
            }
        }, g).start();
    }

    public static void main(String[] g) throws InterruptedException {
        long h = g.length > 0 ? Long.parseLong(g[0]) : 600;
        b i = new b();
        f("A", 4000000L, i, 3);
        f("B", 3500000L, i, 1);
        f("C", 5000000L, i, 7);
        f("D", 3000000L, i, 0);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(h * 1000);
        e = true;
        if (d) {
            System.out.println("the world fell apart");
            System.exit(1);
        }
        System.out.println("DONE " + c);
    }
}
