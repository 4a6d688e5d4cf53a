// @lock Yi$b
// @type LOCK reentrant=false
// @role lock Yi$a.a
// @role unlock Yi$a.b
//
// @lock Yi$c
// @type CONDITION
// @role wait Yi$c.a
// @role notify Yi$c.a

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A queue lock, each thread waiting on the node before its own, and walkers that may be three steps apart at most. Obfuscated. */
public class Yi {
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
    static final class b {
        private boolean a;
    }

    static final class a {
        private b a = new b();
        private b b;

        a() {
            a.a = true;
        }

        void a() throws InterruptedException {
            b c = new b();
            b d;
            synchronized (this) {
                d = a;
                a = c;
            }
            synchronized (d) {
                while (!d.a) {
                    d.wait();
                }
            }
            b = c;
        }

        void b() {
            b c = b;
            b = null;
            synchronized (c) {
                c.a = true;
                c.notifyAll();
            }
        }
    }

    static final class c {
        private final int[] a;

        c(int b) {
            a = new int[b];
        }

        private int b() {
            int c = a[0];
            for (int d : a) {
                c = Math.min(c, d);
            }
            return c;
        }

        synchronized int a(int c) throws InterruptedException {
            while (a[c] - b() >= 3) {
                wait();
            }
            int d = ++a[c];
            notifyAll();
            return d;
        }
    }

    static int d;
    static int e;

    public static void main(String[] a) throws InterruptedException {
        a b = new a();
        for (int c = 0; c < 4; c++) {
            x("a" + c, () -> {
                b.a();
                y(d == e, "b");
                d++;
                z(1, 3);
                e++;
                b.b();
                z(2, 8);
            });
        }
        c c = new c(3);
        AtomicIntegerArray f = new AtomicIntegerArray(3);
        for (int g = 0; g < 3; g++) {
            int h = g;
            x("c" + g, () -> {
                f.set(h, c.a(h));
                for (int i = 0; i < 3; i++) {
                    y(f.get(h) - f.get(i) <= 4, "d");
                }
                z(1, h == 2 ? 9 : 5);
            });
        }
        w(a);
    }
}
