// @lock Fg$a
// @type BARRIER parties=3
// @role arrive Fg$a.b

// @lock Fg$d
// @type SEMAPHORE permits=4
// @role acquire Fg$d.a
// @role release Fg$d.b

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Rounds of three that each wait on the mark of their round, and a limit that counts what is out. Obfuscated. */
public class Fg {
    static class c {
        boolean a;
    }

    static class a {
        private c a = new c();
        private int c = 3;

        synchronized int b() throws InterruptedException {
            c d = a;
            int e = --c;
            if (e == 0) {
                d.a = true;
                a = new c();
                c = 3;
                notifyAll();
                return 0;
            }
            do {
                wait();
            } while (!d.a);
            return e;
        }
    }

    static class d {
        private final int c;
        private int d;

        d(int e) {
            c = e;
        }

        void a() throws InterruptedException {
            synchronized (this) {
                while (!(d < c)) {
                    wait();
                }
                d = d + 1;
            }
        }

        void b() {
            synchronized (this) {
                d = d - 1;
                notify();
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
        d h = new d(4);
        AtomicInteger i = new AtomicInteger();
        for (int j = 0; j < 2; j++) {
            a m = new a();
            AtomicInteger n = new AtomicInteger();
            for (int q = 0; q < 3; q++) {
                int[] r = {0};
                l("t" + j + q, () -> {
                    h.a();
                    k(i.incrementAndGet() <= 4);
                    p(1, 6);
                    i.decrementAndGet();
                    h.b();
                    n.incrementAndGet();
                    m.b();
                    k(n.get() >= 3 * ++r[0]);
                });
            }
        }
        f(g);
    }
}
