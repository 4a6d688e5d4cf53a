// @lock Zj$a
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Zj$a.a
// @role read-unlock Zj$a.b
// @role write-lock Zj$a.c
// @role write-unlock Zj$a.d
//
// @lock Zj$b
// @type LOCK reentrant=false
// @role lock Zj$b.a
// @role unlock Zj$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A board whose first reader takes the room for all and whose last one gives it back; a desk served by numbers. Obfuscated. */
public class Zj {
    static volatile String u;
    static final AtomicLong v = new AtomicLong();

    interface S {
        void run() throws InterruptedException;
    }

    static void y(boolean a, String b) {
        if (!a && u == null) {
            u = b;
        }
    }

    static void z(int a, int b) throws InterruptedException {
        Thread.sleep(a + ThreadLocalRandom.current().nextInt(b - a + 1));
    }

    static void x(String a, S s) {
        Thread t = new Thread(() -> {
            try {
                while (u == null) {
                    s.run();
                    v.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                y(false, a + ": " + e);
            }
        }, a);
        t.setDaemon(true);
        t.start();
    }

    static void w(String[] a) throws InterruptedException {
        System.out.println("READY");
        long b = System.nanoTime() + (a.length > 0 ? Long.parseLong(a[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < b && u == null) {
            Thread.sleep(40);
        }
        y(v.get() > 0, "nothing was done");
        if (u != null) {
            System.out.println("BROKEN " + u);
            System.exit(1);
        }
        System.out.println("DONE " + v.get());
        System.exit(0);
    }
    static final class a {
        private final Object a = new Object();
        private boolean b;
        private int c;

        void a() throws InterruptedException {
            synchronized (this) {
                if (c == 0) {
                    synchronized (a) {
                        while (b) {
                            a.wait();
                        }
                        b = true;
                    }
                }
                c++;
            }
        }

        void b() {
            synchronized (this) {
                if (--c == 0) {
                    synchronized (a) {
                        b = false;
                        a.notify();
                    }
                }
            }
        }

        void c() throws InterruptedException {
            synchronized (a) {
                while (b) {
                    a.wait();
                }
                b = true;
            }
        }

        void d() {
            synchronized (a) {
                b = false;
                a.notify();
            }
        }
    }

    static final class b {
        private int a;
        private int b;

        synchronized void a() throws InterruptedException {
            int c = a++;
            while (c != b) {
                wait();
            }
        }

        synchronized void b() {
            b++;
            notifyAll();
        }
    }

    private final a c = new a();
    private final int[] d = new int[5];
    private final b e = new b();
    private int f;

    void a(int a) throws InterruptedException {
        c.a();
        try {
            int b = d[0];
            z(1, 4);
            y(b == d[4], "b");
        } finally {
            c.b();
        }
        z(2, 9);
        if (a % 2 == 0) {
            c();
        }
    }

    void b() throws InterruptedException {
        c.c();
        try {
            for (int b = 0; b < d.length; b++) {
                d[b]++;
            }
            z(1, 3);
            y(d[0] == d[4], "c");
        } finally {
            c.d();
        }
        z(2, 6);
        c();
    }

    private void c() throws InterruptedException {
        e.a();
        y(++f == 1, "d");
        z(1, 3);
        f--;
        e.b();
    }

    public static void main(String[] a) throws InterruptedException {
        Zj b = new Zj();
        for (int c = 0; c < 3; c++) {
            int d = c;
            x("a" + c, () -> b.a(d));
        }
        for (int c = 0; c < 2; c++) {
            x("b" + c, b::b);
        }
        w(a);
    }
}
