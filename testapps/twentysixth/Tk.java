// @lock Tk$a
// @type LOCK reentrant=false
// @role lock Tk$a.a
// @role unlock Tk$a.b
//
// @lock Tk$c
// @type CONDITION
// @role wait Tk$c.a
// @role wait Tk$c.b
// @role notify Tk$c.a
// @role notify Tk$c.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A field bus: a master polls its stations, each answers when it is polled; the store of answers is taken in order. */
public class Tk {

    static final class a {
        private int c;
        private int d;

        int a() throws InterruptedException {
            synchronized (this) {
                int e = c++;
                while (e != d) {
                    wait();
                }
                return e;
            }
        }

        void b() {
            synchronized (this) {
                d++;
                notifyAll();
            }
        }
    }

    static final class c {
        private int d = -1;
        private int e;

        synchronized int a(int f) throws InterruptedException {
            d = f;
            notifyAll();
            while (d >= 0) {
                wait();
            }
            return e;
        }

        synchronized void b(int f, int g) throws InterruptedException {
            while (d != f) {
                wait();
            }
            e = g;
            d = -1;
            notifyAll();
        }
    }

    static volatile String e;
    static final AtomicLong f = new AtomicLong();
    static final a g = new a();
    static final c h = new c();
    static int i;
    static int j;

    static void k() throws InterruptedException {
        g.a();
        i++;
        Thread.sleep(1);
        j++;
        if (i != j) {
            e = "not alone";
        }
        g.b();
    }

    static void l() throws InterruptedException {
        for (int m = 0; true; m = (m + 1) % 3) {
            int n = h.a(m);
            if (n % 3 != m) {
                e = "station " + m + " answered " + n;
            }
            f.incrementAndGet();
            Thread.sleep(2);
        }
    }

    static void m(int n) throws InterruptedException {
        while (true) {
            h.b(n, 3 * ThreadLocalRandom.current().nextInt(100) + n);
            k();
            f.incrementAndGet();
        }
    }

    static void n() throws InterruptedException {
        while (true) {
            k();
            Thread.sleep(2);
        }
    }

    public static void main(String[] args) throws Exception {
        int o = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int p = 0; p < 7; p++) {
            final int q = p;
            Thread r = new Thread("r" + p) {
                @Override public void run() {
                    try {
                        if (q < 3) {
                            m(q);
                        } else if (q == 3) {
                            l();
                        } else {
                            n();
                        }
                    } catch (InterruptedException s) {
                        e = "interrupted";
                    }
                }
            };
            r.setDaemon(true);
            r.start();
        }
        System.out.println("READY");
        long p = System.currentTimeMillis() + o * 1000L;
        while (System.currentTimeMillis() < p && e == null) {
            Thread.sleep(50);
        }
        System.out.println(e == null ? "DONE " + f.get() : "FAULT " + e);
        System.exit(e == null ? 0 : 1);
    }
}
