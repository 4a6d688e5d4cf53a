// @lock Kx$a
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Kx$a.a
// @role read-unlock Kx$a.b
// @role write-lock Kx$a.c
// @role write-unlock Kx$a.d

// @lock Kx$b
// @type MUTEX
// @role enter Kx$b.a
// @role enter Kx$b.b

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Those who look and those who change are served in the order in which they drew numbers. Obfuscated. */
public class Kx {
    static class a {
        private long a;
        private long b;
        private int c;
        private boolean d;

        synchronized void a() throws InterruptedException {
            long e = a++;
            while (e != b || d) {
                wait();
            }
            b++;
            c++;
            notifyAll();
        }

        synchronized void b() {
            if (--c == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            long e = a++;
            while (e != b || d || c > 0) {
                wait();
            }
            b++;
            d = true;
        }

        synchronized void d() {
            d = false;
            notifyAll();
        }
    }

    static class b {
        private long a;
        private long b;

        synchronized void a(int c) {
            a += c;
            for (int d = 0; d < 20000; d++) {
                b ^= a * d;
            }
        }

        synchronized long b() {
            long c = b;
            for (int d = 0; d < 20000; d++) {
                c += d;
            }
            return c;
        }
    }

    private interface Zz {
        void z() throws Exception;
    }

    private static volatile Throwable x0;
    private static final AtomicLong x1 = new AtomicLong();

    private static void l(String z1, Zz z2) {
        Thread t = new Thread(() -> {
            try {
                while (x0 == null) {
                    z2.z();
                    x1.incrementAndGet();
                }
            } catch (Throwable e) {
                x0 = e;
            }
        }, z1);
        t.setDaemon(true);
        t.start();
    }

    private static void k(boolean z4) {
        if (!z4) {
            throw new IllegalStateException();
        }
    }

    private static void p(int z5, int z6) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(z5, z6));
    }

    private static void f(String[] z7) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (z7.length > 0 ? Long.parseLong(z7[0]) : 600));
        if (x0 != null) {
            x0.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + x1);
    }

    public static void main(String[] g) throws Exception {
        a h = new a();
        b i = new b();
        AtomicInteger j = new AtomicInteger();
        AtomicInteger m = new AtomicInteger();
        for (int n = 0; n < 5; n++) {
            l("t" + n, () -> {
                h.a();
                j.incrementAndGet();
                k(m.get() == 0);
                p(1, 4);
                j.decrementAndGet();
                h.b();
                i.a(3);
                i.b();
            });
        }
        for (int n = 0; n < 2; n++) {
            l("u" + n, () -> {
                h.c();
                k(m.incrementAndGet() == 1 && j.get() == 0);
                p(1, 4);
                m.decrementAndGet();
                h.d();
                i.b();
                p(2, 6);
            });
        }
        f(g);
    }
}
