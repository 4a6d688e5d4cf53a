// @lock Yy$1
// @type LOCK reentrant=true
// @role lock Yy$a.e
// @role unlock Yy$a.f

import java.util.Random;

/** The waiting is in an abstract class, the state in an anonymous one. Obfuscated. */
public class Yy {
    abstract static class a {
        protected abstract boolean b(Thread g);

        protected abstract void c(Thread g);

        protected abstract boolean d(Thread g);

        public final void e() {
            Thread g = Thread.currentThread();
            boolean h = false;
            synchronized (this) {
                while (!b(g)) {
                    try {
                        wait();
                    } catch (InterruptedException i) {
                        h = true;
                    }
                }
                c(g);
            }
            if (h) {
                g.interrupt();
            }
        }

        public final void f() {
            synchronized (this) {
                if (d(Thread.currentThread())) {
                    notify();
                }
            }
        }
    }

    static a g() {
        return new a() {
            private Thread h;
            private int i;

            @Override
            protected boolean b(Thread j) {
                return h == null || h == j;
            }

            @Override
            protected void c(Thread j) {
                h = j;
                i++;
            }

            @Override
            protected boolean d(Thread j) {
                if (h != j) {
                    throw new IllegalMonitorStateException();
                }
                if (--i > 0) {
                    return false;
                }
                h = null;
                return true;
            }
        };
    }

    private final a h = g();
    private long i;
    private volatile long j;
    private volatile boolean k;

    void l(Random m, int n) throws InterruptedException {
        h.e();
        try {
            long o = i;
            if (n > 0) {
                l(m, n - 1);
            } else {
                Thread.sleep(m.nextInt(3));
                i = o + 1;
                j++;
                if (i != j) {
                    k = true;
                }
            }
        } finally {
            h.f();
        }
    }

    public static void main(String[] m) throws InterruptedException {
        long n = m.length > 0 ? Long.parseLong(m[0]) : 600;
        Yy[] o = {new Yy(), new Yy()};
        for (int p = 0; p < 6; p++) {
            Yy q = o[p % 2];
            Random r = new Random(p);
            Thread s = new Thread(() -> {
                try {
                    while (true) {
                        q.l(r, r.nextInt(3));
                        Thread.sleep(r.nextInt(5));
                    }
                } catch (InterruptedException t) {
                    q.k = true;
                }
            });
            s.setDaemon(true);
            s.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(n * 1000);
        if (o[0].k || o[1].k) {
            System.out.println("lost a count");
            System.exit(1);
        }
        System.out.println("DONE " + (o[0].j + o[1].j));
    }
}
