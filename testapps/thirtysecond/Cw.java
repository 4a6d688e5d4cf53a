// @lock Cw$a
// @type LOCK+CONDITION reentrant=false
// @role lock Cw$a.a
// @role unlock Cw$a.b
// @role wait Cw$a.d
// @role notify Cw$a.c

// @lock Cw$b
// @type JOIN
// @role join Cw$b.a

// @lock java.lang.Object#e
// @type DELAY
// @role delay Cw.e

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A record held by one with a version that others wait for; tasks that report their own end; a pause. Obfuscated. */
public final class Cw {
    static final class a {
        private byte a;
        private long b;

        synchronized void a() throws InterruptedException {
            while (a == 1) {
                wait();
            }
            a = 1;
        }

        synchronized void b() {
            a = 0;
            notifyAll();
        }

        synchronized void c() {
            b++;
            notifyAll();
        }

        synchronized long d(long e) throws InterruptedException {
            while (b <= e) {
                wait();
            }
            return b;
        }
    }

    static final class b extends Thread {
        private Object b;

        b() {
            setDaemon(true);
        }

        @Override
        public void run() {
            Object c = null;
            try {
                e(3);
                c = "done";
            } catch (InterruptedException d) {
                c = d;
            }
            synchronized (this) {
                b = c;
                notify();
            }
        }

        Object a() throws InterruptedException {
            synchronized (this) {
                while (b == null) {
                    wait();
                }
                return b;
            }
        }
    }

    private static final Object c = new Object();

    static void e(long a) throws InterruptedException {
        long d = System.nanoTime() + a * 1000000;
        synchronized (c) {
            long g;
            while ((g = d - System.nanoTime()) > 0) {
                c.wait(g / 1000000 + 1);
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
        AtomicInteger i = new AtomicInteger();
        for (int j = 0; j < 4; j++) {
            l("t" + j, () -> {
                h.a();
                k(i.incrementAndGet() == 1);
                p(1, 5);
                i.decrementAndGet();
                h.b();
                b m = new b();
                m.start();
                k(m.a() == "done");
            });
        }
        for (int j = 0; j < 2; j++) {
            long[] m = {0};
            l("u" + j, () -> {
                long n = h.d(m[0]);
                k(n > m[0]);
                m[0] = n;
            });
        }
        l("v", () -> {
            h.c();
            e(7);
        });
        f(g);
    }
}
