// @lock Ak$a
// @type CONDITION
// @role wait Ak$a.a
// @role notify Ak$a.b
//
// @lock java.lang.Object#c
// @type MUTEX
// @role enter Ak$d.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A cab that stops at four floors in turn, and a table in two stripes. Obfuscated. */
public class Ak {
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
    enum b { A, B, C, D }

    static final class a {
        private b a = Ak.b.A;
        private boolean b;

        synchronized void a(b c) throws InterruptedException {
            while (a != c || !b) {
                wait();
            }
        }

        synchronized void b(boolean c) {
            if (!c) {
                a = Ak.b.values()[(a.ordinal() + 1) % 4];
            }
            b = c;
            if (c) {
                notifyAll();
            }
        }
    }

    static final class d {
        private final Object[] a = {new Object(), new Object()};
        private final long[] b = new long[4];

        void c(int d) throws InterruptedException {
            synchronized (a[d & 1]) {
                b[d & 1] += d;
                z(1, 3);
                b[2 + (d & 1)] += d;
                y(b[d & 1] == b[2 + (d & 1)], "b");
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        a b = new a();
        boolean[] c = new boolean[1];
        AtomicLong d = new AtomicLong();
        x("a", () -> {
            c[0] = !c[0];
            d.incrementAndGet();
            b.b(c[0]);
            z(2, 4);
        });
        for (int e = 0; e < 4; e++) {
            x("b" + e, () -> {
                b f = Ak.b.values()[ThreadLocalRandom.current().nextInt(4)];
                b.a(f);
                y(d.get() > 0, "c");
                z(1, 6);
            });
        }
        d e = new d();
        for (int f = 0; f < 5; f++) {
            x("c" + f, () -> {
                e.c(ThreadLocalRandom.current().nextInt(100));
                z(2, 7);
            });
        }
        w(a);
    }
}
