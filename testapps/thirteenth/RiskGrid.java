// A risk grid: three cells compute in step, pause whenever the market data are being swapped, and log under a lock of
// the class. Names as an obfuscator leaves them.
//
// @lock RiskGrid$b
// @type CONDITION form=resettable-event
// @role wait RiskGrid$b.a
// @role notify RiskGrid$b.c
//
// @lock RiskGrid$c
// @type BARRIER parties=3
// @role arrive RiskGrid$c.a
//
// @lock java.lang.Class#e
// @type MUTEX
// @role enter RiskGrid.e
// @role enter RiskGrid.f

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

public class RiskGrid {
    static volatile String g;
    private static int h, i;

    static abstract class a {
        boolean a = true;

        void d() throws InterruptedException {
            while (!a)
                wait();
        }
    }

    static final class b extends a {
        synchronized void a() throws InterruptedException {
            d();
        }

        synchronized void b() {
            a = false;
        }

        synchronized void c() {
            a = true;
            notifyAll();
        }
    }

    static final class c {
        private final boolean[] a;
        private int b;

        c(int n) {
            a = new boolean[n];
        }

        synchronized void a(int k) throws InterruptedException {
            if (a[k])
                throw new IllegalStateException("cell " + k + " is here already");
            a[k] = true;
            if (b()) {
                for (int j = 0; j < a.length; j++)
                    a[j] = false;
                b++;
                notifyAll();
            } else {
                for (int n = b; n == b;)
                    wait();
            }
        }

        private boolean b() {
            for (boolean x : a)
                if (!x)
                    return false;
            return true;
        }
    }

    static synchronized void e(int n) throws InterruptedException {
        h += n;
        Thread.sleep(1);
        i += n;
    }

    static synchronized int f() {
        if (h != i)
            g = "log";
        return h;
    }

    static final AtomicInteger[] d = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};

    static void j(int k, b b, c c) throws InterruptedException {
        for (int n = 1;; n++) {
            b.a();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            d[k].set(n);
            c.a(k);
            for (AtomicInteger x : d)
                if (x.get() < n)
                    g = "out of step";
            e(1);
            e(2);
        }
    }

    static void k(b b) throws InterruptedException {
        for (;;) {
            b.b();
            Thread.sleep(8);
            b.c();
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final b b = new b();
        final c c = new c(3);
        for (int n = 0; n < 4; n++) {
            final int m = n;
            Thread t = new Thread() {
                @Override
                public void run() {
                    try {
                        if (m == 3)
                            k(b);
                        else
                            j(m, b, c);
                    } catch (InterruptedException | RuntimeException x) {
                        g = x.toString();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long t = System.currentTimeMillis() + s * 1000L;
        int l = -1;
        int idle = 0;
        while (g == null && System.currentTimeMillis() < t) {
            Thread.sleep(300);
            int n = f();
            idle = n == l ? idle + 1 : 0;
            if (idle > 25)
                g = "the grid stands still";
            l = n;
        }
        if (g != null) {
            System.out.println("BROKEN " + g);
            System.exit(1);
        }
        System.out.println("DONE " + l);
    }
}
