// Two who swap what they carry, and four who wait for each other on an object made anew for each round; obfuscated.
// @lock Tessera$a
// @type BARRIER parties=2 form=exchanger
// @role arrive Tessera$a.a
// @lock Tessera$b
// @type BARRIER parties=4
// @role arrive Tessera$b.a
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class Tessera {
    static volatile String zx;
    static final AtomicLong zy = new AtomicLong();

    static final class a {
        private Object a;
        private Object b;
        private boolean c;
        private int d;

        synchronized Object a(Object e) throws InterruptedException {
            if (!c) {
                c = true;
                a = e;
                int f = d;
                while (f == d) {
                    wait();
                }
                Object g = b;
                b = null;
                return g;
            }
            c = false;
            b = e;
            d++;
            Object g = a;
            a = null;
            notify();
            return g;
        }
    }

    static final class b {
        private static final class c {
            boolean a;
        }

        private final int d;
        private int e;
        private c f = new c();

        b(int d) {
            this.d = d;
        }

        void a() throws InterruptedException {
            c g;
            boolean h;
            synchronized (this) {
                g = f;
                h = ++e == d;
                if (h) {
                    e = 0;
                    f = new c();
                }
            }
            synchronized (g) {
                if (h) {
                    g.a = true;
                    g.notifyAll();
                } else {
                    while (!g.a) {
                        g.wait();
                    }
                }
            }
        }
    }

    static final a c = new a();
    static final b d = new b(4);
    static final AtomicIntegerArray e = new AtomicIntegerArray(4);

    static void f(Integer g) throws InterruptedException {
        Object h = c.a(g);
        if (!(h instanceof Integer) || g.equals(h)) {
            zx = "got my own back";
        }
        zy.incrementAndGet();
        zn(2, 8);
    }

    static void g(int h) throws InterruptedException {
        zn(2, 8);
        int i = e.incrementAndGet(h);
        d.a();
        for (int j = 0; j < 4; j++) {
            int k = e.get(j);
            if (k < i || k > i + 1) {
                zx = "out of step";
            }
        }
        zy.incrementAndGet();
    }

    public static void main(String[] q) throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            final int j = i;
            if (i < 2) {
                zz(1, () -> f(j));
            }
            zz(1, () -> g(j));
        }
        zw(q);
    }

    interface z {
        void a() throws InterruptedException;
    }

    static void zz(int n, z s) {
        for (int i = 0; i < n; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        s.a();
                    }
                } catch (InterruptedException e) {
                    zx = "interrupted";
                } catch (RuntimeException e) {
                    zx = e.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    static void zn(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void zw(String[] q) throws InterruptedException {
        System.out.println("READY");
        long e = System.currentTimeMillis() + (q.length > 0 ? Integer.parseInt(q[0]) : 600) * 1000L;
        while (zx == null && System.currentTimeMillis() < e) {
            Thread.sleep(20);
        }
        if (zx != null) {
            System.out.println(zx);
            System.exit(1);
        }
        System.out.println("DONE " + zy.get());
    }
}
