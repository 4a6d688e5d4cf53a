// @lock Sc$a
// @type PRODUCER-CONSUMER capacity=1
// @role put Sc$a.a
// @role take Sc$a.b
//
// @lock Sc$c
// @type BARRIER parties=3
// @role arrive Sc$c.a

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Blocks handed over through one cell, and three walkers that move in step. Obfuscated. */
public class Sc {
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
        private final Object[] a = new Object[1];
        private boolean b;

        synchronized void a(Object c) throws InterruptedException {
            while (b) {
                wait();
            }
            a[0] = c;
            b = true;
            notifyAll();
        }

        synchronized Object b() throws InterruptedException {
            while (!b) {
                wait();
            }
            Object c = a[0];
            a[0] = null;
            b = false;
            notifyAll();
            return c;
        }
    }

    static final class c {
        private Object a = new Object();
        private int b;

        synchronized boolean a() throws InterruptedException {
            Object d = a;
            if (++b == 3) {
                b = 0;
                a = new Object();
                notifyAll();
                return true;
            }
            do {
                wait();
            } while (a == d);
            return false;
        }
    }

    public static void main(String[] a) throws InterruptedException {
        a b = new a();
        AtomicLong c = new AtomicLong();
        for (int d = 0; d < 2; d++) {
            x("a" + d, () -> {
                b.a(c.incrementAndGet());
                z(1, 9);
            });
        }
        AtomicLong d = new AtomicLong();
        for (int e = 0; e < 2; e++) {
            x("b" + e, () -> {
                Object f = b.b();
                y(f != null, "c");
                y(d.incrementAndGet() <= c.get(), "d");
                z(2, 8);
            });
        }
        for (int e = 0; e < 2; e++) {
            c f = new c();
            AtomicLongArray g = new AtomicLongArray(3);
            for (int h = 0; h < 3; h++) {
                int i = h;
                x("c" + e + h, () -> {
                    z(1, 7);
                    long j = g.incrementAndGet(i);
                    f.a();
                    for (int k = 0; k < 3; k++) {
                        long l = g.get(k);
                        y(l == j || l == j + 1, "e");
                    }
                });
            }
        }
        w(a);
    }
}
