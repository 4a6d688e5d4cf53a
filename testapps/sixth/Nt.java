// @lock Nt$b
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Nt$b.a
// @role read-unlock Nt$b.b
// @role write-lock Nt$b.c
// @role write-unlock Nt$b.d

import java.util.concurrent.atomic.AtomicLong;

/** A table of network nodes, looked up by many and rebuilt by few; obfuscated. */
public final class Nt {
    static final class b {
        private int a;
        private boolean b;

        final void a() throws InterruptedException {
            synchronized (this) {
                while (b) {
                    wait();
                }
                a++;
            }
        }

        final void b() {
            synchronized (this) {
                if (--a == 0) {
                    notifyAll();
                }
            }
        }

        final void c() throws InterruptedException {
            synchronized (this) {
                while (b || a > 0) {
                    wait();
                }
                b = true;
            }
        }

        final void d() {
            synchronized (this) {
                b = false;
                notifyAll();
            }
        }
    }

    private static final b a = new b();
    private static final int[] b = new int[40];
    private static final AtomicLong c = new AtomicLong();
    private static volatile boolean d;

    private static void a(int i) throws InterruptedException {
        a.a();
        try {
            int k = b[i % b.length];
            Thread.sleep(1L);
            for (int j : b) {
                if (j != k) {
                    d = true;
                }
            }
        } finally {
            a.b();
        }
        Thread.sleep(2L + i % 3);
    }

    private static void b(int i) throws InterruptedException {
        a.c();
        try {
            for (int j = 0; j < b.length; j++) {
                b[j]++;
                if (j == i % b.length) {
                    Thread.sleep(1L);
                }
            }
        } finally {
            a.d();
        }
        Thread.sleep(2L + i % 5);
    }

    private static void c(int n) {
        try {
            for (int i = n; !d; i++) {
                if (n < 4) {
                    a(i);
                } else {
                    b(i);
                }
                c.incrementAndGet();
            }
        } catch (InterruptedException e) {
            d = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            int n = i;
            Thread t = new Thread(() -> c(n));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (d) {
            throw new IllegalStateException("half a table seen");
        }
        System.out.println("DONE " + c);
    }
}
