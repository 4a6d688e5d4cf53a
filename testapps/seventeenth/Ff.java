// @lock Ff$a
// @type LOCK reentrant=false
// @role lock Ff$a.a
// @role unlock Ff$a.b
//
// @lock Ff$c
// @type MUTEX
// @role enter Ff$c.a
// @role enter Ff$c.b
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A sluice passed by one barge at a time; each barge that has to wait moors at a post of its own. */
public class Ff {
    static class b {
        b a;
        int b;
    }

    static class a {
        private boolean a;
        private b b;
        private b c;

        void a() {
            b n;
            synchronized (this) {
                if (!a) {
                    a = true;
                    return;
                }
                n = new b();
                if (c == null) {
                    b = n;
                } else {
                    c.a = n;
                }
                c = n;
            }
            boolean i = false;
            synchronized (n) {
                while (n.b == 0) {
                    try {
                        n.wait();
                    } catch (InterruptedException e) {
                        i = true;
                    }
                }
            }
            if (i) {
                Thread.currentThread().interrupt();
            }
        }

        void b() {
            b n;
            synchronized (this) {
                n = b;
                if (n == null) {
                    a = false;
                    return;
                }
                b = n.a;
                if (b == null) {
                    c = null;
                }
            }
            synchronized (n) {
                n.b = 1;
                n.notify();
            }
        }
    }

    static class c {
        private int a;
        private int b;

        synchronized void a(int x) {
            a += x;
            b -= x;
        }

        synchronized boolean b() {
            return a + b == 0;
        }
    }

    static int d;
    static volatile String e;
    static final AtomicLong f = new AtomicLong();

    static void g(a l, c m) {
        while (!Thread.currentThread().isInterrupted() && e == null) {
            l.a();
            try {
                if (d++ != 0) {
                    e = "two barges";
                }
                h(ThreadLocalRandom.current().nextInt(1, 5));
                if (--d != 0) {
                    e = "not one barge";
                }
            } finally {
                l.b();
            }
            f.incrementAndGet();
            if (f.get() % 50 == 0) {
                m.a(3);
                if (!m.b()) {
                    e = "toll";
                }
            }
            h(ThreadLocalRandom.current().nextInt(1, 6));
        }
    }

    static void h(int n) {
        try {
            Thread.sleep(n);
        } catch (InterruptedException x) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] z) throws InterruptedException {
        int n = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        a l = new a();
        c m = new c();
        Thread[] t = new Thread[5];
        for (int i = 0; i < t.length; i++) {
            t[i] = new Thread(() -> g(l, m));
            t[i].start();
        }
        System.out.println("READY");
        for (int i = 0; i < n * 20 && e == null; i++) {
            Thread.sleep(50);
        }
        for (Thread x : t) {
            x.interrupt();
        }
        for (Thread x : t) {
            x.join();
        }
        if (e != null) {
            System.out.println(e);
            System.exit(1);
        }
        System.out.println("DONE " + f);
    }
}
