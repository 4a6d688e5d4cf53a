// A weighbridge that is passed on along a chain of nodes, and a chain of start signals for a fleet. (obfuscated)
// @lock Pr$a
// @type LOCK reentrant=false
// @role lock Pr$b.a
// @role unlock Pr$b.b
//
// @lock Pr$c
// @type LATCH count=1
// @role count-down Pr$c.b
// @role await Pr$c.a
import java.util.concurrent.atomic.AtomicLong;

public class Pr {
    static final AtomicLong a = new AtomicLong();
    static int b, c;

    static final class a {
        boolean a;
    }

    static final class b {
        private a a;

        a a() throws InterruptedException {
            a c = new a();
            a d;
            synchronized (this) {
                d = a;
                a = c;
            }
            if (d != null) {
                synchronized (d) {
                    while (!d.a) d.wait();
                }
            }
            return c;
        }

        void b(a c) {
            synchronized (c) {
                c.a = true;
                c.notify();
            }
        }
    }

    static final class c {
        private final int a;
        private c b;

        c(int d) {
            a = d;
        }

        synchronized c a() throws InterruptedException {
            while (b == null) wait();
            return b;
        }

        synchronized c b() {
            if (b == null) {
                b = new c(a + 1);
                notifyAll();
            }
            return b;
        }
    }

    static void a(String b) {
        System.out.println("BROKEN " + b);
        System.exit(1);
    }

    static void a(b d) {
        try {
            for (;;) {
                a e = d.a();
                try {
                    int f = ++b;
                    Thread.sleep(1);
                    if (b != f || c != f - 1) a("a");
                    c = f;
                } finally {
                    d.b(e);
                }
                a.incrementAndGet();
                Thread.sleep(2);
            }
        } catch (InterruptedException e) {
            a("i");
        }
    }

    static void a(c d) {
        try {
            for (;;) {
                c e = d.a();
                if (e.a != d.a + 1) a("c");
                d = e;
                a.incrementAndGet();
                Thread.sleep(2);
            }
        } catch (InterruptedException e) {
            a("i");
        }
    }

    static void b(c d) {
        try {
            for (;;) {
                Thread.sleep(5);
                d = d.b();
            }
        } catch (InterruptedException e) {
            a("i");
        }
    }

    static void a(Runnable d) {
        Thread e = new Thread(d);
        e.setDaemon(true);
        e.start();
    }

    public static void main(String[] d) throws Exception {
        b e = new b();
        for (int f = 0; f < 5; f++) a(() -> a(e));
        c g = new c(0);
        for (int f = 0; f < 3; f++) a(() -> a(g));
        a(() -> b(g));
        System.out.println("READY");
        Thread.sleep((d.length > 0 ? Integer.parseInt(d[0]) : 600) * 1000L);
        System.out.println("DONE " + a.get());
    }
}
