// @lock Hj$a
// @type JOIN
// @role join Hj$a.b

// @lock Hj$b
// @type SEMAPHORE form=rate-limiter
// @role acquire Hj$b.a
// @role release Hj$b.b

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that mark their own end and are awaited for it; how many may be begun in a while is rationed by a clock. Obfuscated. */
public class Hj {
    static class a extends Thread {
        private int a;
        private boolean c;

        a() {
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
                a = 7;
            } catch (InterruptedException d) {
                a = -1;
            } finally {
                synchronized (this) {
                    c = true;
                    notifyAll();
                }
            }
        }

        synchronized int b() throws InterruptedException {
            while (!c) {
                wait();
            }
            return a;
        }
    }

    static class b {
        private int a = 3;

        synchronized void a() throws InterruptedException {
            while (a == 0) {
                wait();
            }
            --a;
        }

        synchronized void b() {
            a = Math.min(3, a + 1);
            notifyAll();
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
        b h = new b();
        for (int i = 0; i < 4; i++) {
            l("t" + i, () -> {
                h.a();
                a j = new a();
                j.start();
                k(j.b() == 7);
            });
        }
        l("u", () -> {
            p(2, 6);
            h.b();
        });
        f(g);
    }
}
