// @lock Wg$a
// @type LOCK+CONDITION reentrant=false
// @role lock Wg$a.a
// @role unlock Wg$a.b
// @role wait Wg$a.c
// @role notify Wg$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A document edited under a lock; others wait on the same monitor for a later edition. Obfuscated. */
public class Wg {
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
        private Thread a;
        private long b;

        synchronized void a() throws InterruptedException {
            while (a != null) {
                wait();
            }
            a = Thread.currentThread();
        }

        synchronized void b(boolean c) {
            if (a != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            a = null;
            if (c) {
                b++;
            }
            notifyAll();
        }

        synchronized long c(long d) throws InterruptedException {
            while (b <= d) {
                wait();
            }
            return b;
        }
    }

    private final a c = new a();
    private int d;
    private int e;

    void a(boolean a) throws InterruptedException {
        c.a();
        try {
            d++;
            z(1, 4);
            e++;
            y(d == e, "b");
        } finally {
            c.b(a);
        }
        z(3, 9);
    }

    long b(long a) throws InterruptedException {
        long b = c.c(a);
        y(b > a, "c");
        z(1, 4);
        return b;
    }

    public static void main(String[] a) throws InterruptedException {
        Wg b = new Wg();
        for (int c = 0; c < 4; c++) {
            boolean d = c < 3;
            x("a" + c, () -> b.a(d));
        }
        for (int c = 0; c < 2; c++) {
            long[] d = new long[1];
            x("b" + c, () -> d[0] = b.b(d[0]));
        }
        w(a);
    }
}
