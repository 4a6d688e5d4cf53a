// @lock Td$a
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Td$a.a
// @role read-unlock Td$a.b
// @role write-lock Td$a.c
// @role write-unlock Td$a.d
//
// @lock java.lang.Object#b
// @type CONDITION
// @role wait Td$e.b
// @role notify Td$e.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A table behind a lock kept in one number, and three hands that play in turn. Obfuscated. */
public class Td {
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
        private static final int a = 1 << 30;
        private int b;

        synchronized void a() throws InterruptedException {
            while ((b & a) != 0) {
                wait();
            }
            b++;
        }

        synchronized void b() {
            b--;
            if (b == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            while (b != 0) {
                wait();
            }
            b = a;
        }

        synchronized void d() {
            b &= ~a;
            notifyAll();
        }
    }

    static final class e {
        private final Object a = new Object();
        private int b;

        int b(int c, int d) throws InterruptedException {
            synchronized (a) {
                while (b % 3 != c) {
                    a.wait();
                }
                int f = ++b;
                a.notifyAll();
                return f + d;
            }
        }
    }

    private final a f = new a();
    private final long[] g = new long[4];

    void a() throws InterruptedException {
        f.a();
        try {
            long b = g[0];
            z(1, 4);
            for (long c : g) {
                y(b == c, "b");
            }
        } finally {
            f.b();
        }
        z(2, 7);
    }

    void b() throws InterruptedException {
        f.c();
        for (int b = 0; b < g.length; b++) {
            g[b]++;
            if (b == 1) {
                z(1, 3);
            }
        }
        f.d();
        z(3, 12);
    }

    public static void main(String[] a) throws InterruptedException {
        Td b = new Td();
        for (int c = 0; c < 3; c++) {
            x("a" + c, b::a);
        }
        for (int c = 0; c < 2; c++) {
            x("b" + c, b::b);
        }
        e c = new e();
        for (int d = 0; d < 3; d++) {
            int e = d;
            int[] f = new int[1];
            x("c" + d, () -> {
                z(1, 4);
                int g = c.b(e, 0);
                y(g == 3 * f[0]++ + e + 1, "c");
            });
        }
        w(a);
    }
}
