// @lock Nv$a
// @type BARRIER parties=4
// @role arrive Nv$a.a

// @lock Nv$b
// @type CONDITION
// @role wait Nv$b.b
// @role notify Nv$b.a

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Four that turn their flags and go on when all show the same side; others wait until a figure has passed theirs. Obfuscated. */
public class Nv {
    static class a {
        private final boolean[] a = new boolean[4];
        private boolean d;

        synchronized void a(int b) throws InterruptedException {
            boolean c = a[b] = !a[b];
            if (b(c)) {
                d = c;
                notifyAll();
                return;
            }
            while (d != c) {
                wait();
            }
        }

        private boolean b(boolean c) {
            for (boolean e : a) {
                if (e != c) {
                    return false;
                }
            }
            return true;
        }
    }

    static class b {
        private long a;

        void a(long c) {
            synchronized (this) {
                a = c;
                this.notifyAll();
            }
        }

        long b(long c) throws InterruptedException {
            synchronized (this) {
                while (a <= c) {
                    this.wait();
                }
                return a;
            }
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
        for (int m = 0; m < 4; m++) {
            int n = m;
            int[] q = {0};
            l("t" + m, () -> {
                p(1, 5);
                j.incrementAndGet();
                h.a(n);
                k(j.get() >= 4 * ++q[0]);
                if (n == 0) {
                    i.a(q[0]);
                }
            });
        }
        for (int m = 0; m < 2; m++) {
            long[] q = {0};
            l("u" + m, () -> {
                long r = i.b(q[0]);
                k(r > q[0]);
                q[0] = r;
                p(1, 3);
            });
        }
        f(g);
    }
}
