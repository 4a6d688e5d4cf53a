// Orders of a mail order firm: a queue of five and the cash book share a monitor; each order needs two signatures.
// @lock Xc$a
// @type PRODUCER-CONSUMER+MUTEX capacity=5
// @role put Xc$a.c
// @role take Xc$a.d
// @role enter Xc$a.e
// @role enter Xc$a.f
// @lock Xc$b
// @type LATCH count=2
// @role count-down Xc$b.c
// @role await Xc$b.d

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Xc {
    static volatile String xa;
    static final AtomicLong xb = new AtomicLong();

    interface ia {
        void af() throws InterruptedException;
    }

    static void aa(String name, ia step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.af();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                xa = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void ab(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int ae(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void ac(boolean ok, String what) {
        if (!ok) {
            xa = "BROKEN " + what;
        }
    }

    static void ad(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (xa == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (xa != null) {
            System.out.println(xa);
            System.exit(1);
        }
        System.out.println("DONE " + xb.get());
        System.exit(0);
    }

    static final class b {
        private boolean a;
        private boolean b;

        synchronized void c(boolean x) {
            if (x) {
                a = true;
            } else {
                b = true;
            }
            if (a && b) {
                notifyAll();
            }
        }

        synchronized void d() throws InterruptedException {
            while (!a || !b) {
                wait();
            }
        }
    }

    static final class a {
        private final b[] g = new b[5];
        private int h;
        private int i;
        private final int[] j = new int[4];

        a() {
            Arrays.fill(j, 100);
        }

        synchronized void c(b x) throws InterruptedException {
            while (i - h == g.length) {
                wait();
            }
            g[i++ % g.length] = x;
            notifyAll();
        }

        synchronized b d() throws InterruptedException {
            while (i == h) {
                wait();
            }
            b x = g[h % g.length];
            g[h++ % g.length] = null;
            if (h == g.length) {
                h -= g.length;
                i -= g.length;
            }
            notifyAll();
            return x;
        }

        synchronized void e(int k, int l, int m) throws InterruptedException {
            j[k] -= m;
            Thread.sleep(1);
            j[l] += m;
        }

        synchronized void f() throws InterruptedException {
            int s = 0;
            for (int k : j) {
                s += k;
            }
            ac(s == 400, "cash " + s);
            Thread.sleep(1);
        }
    }

    final a k = new a();

    void l() throws InterruptedException {
        b x = new b();
        k.c(x);
        if (ae(4) == 0) {
            x.d();
            xb.incrementAndGet();
        }
        if (ae(10) == 0) {
            Thread.sleep(30);
        }
    }

    void m() throws InterruptedException {
        b x = k.d();
        ac(x != null, "lost");
        x.c(true);
        ab(5);
        x.c(false);
        x.d();
    }

    public static void main(String[] args) throws InterruptedException {
        Xc x = new Xc();
        for (int i = 0; i < 3; i++) {
            aa("p" + i, x::l);
        }
        aa("q0", x::m);
        aa("q1", x::m);
        for (int i = 0; i < 2; i++) {
            int z = i;
            aa("r" + i, () -> {
                ab(7);
                x.k.e(z, ae(4), ae(9));
            });
        }
        aa("s", () -> {
            ab(9);
            x.k.f();
        });
        ad(args);
    }
}
