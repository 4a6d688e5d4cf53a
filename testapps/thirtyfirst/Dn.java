// @lock Dn$a
// @type LOCK reentrant=false
// @role lock Dn$a.a
// @role unlock Dn$a.b

// @lock Dn$c
// @type DELAY
// @role delay Dn$c.run

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A lock given from hand to hand along a chain of nodes; whoever holds it is known to nobody but himself. Obfuscated. */
public class Dn {
    static class b {
        b a;
        boolean b;
    }

    static class a {
        private boolean a;
        private b b;
        private b c;

        void a() throws InterruptedException {
            b d = null;
            synchronized (this) {
                if (!a) {
                    a = true;
                    return;
                }
                d = new b();
                if (b == null) {
                    b = d;
                } else {
                    c.a = d;
                }
                c = d;
            }
            synchronized (d) {
                for (; !d.b; d.wait()) {
                    continue;
                }
            }
        }

        void b() {
            b d;
            synchronized (this) {
                d = b;
                if (d == null) {
                    a = false;
                    return;
                }
                b = d.a;
            }
            synchronized (d) {
                d.b = true;
                d.notify();
            }
        }
    }

    static class c implements Runnable {
        private final int a;

        c(int b) {
            a = b;
        }

        public synchronized void run() {
            try {
                long b = System.nanoTime() + a * 1000000L;
                long d;
                while ((d = (b - System.nanoTime()) / 1000000L) > 0) {
                    wait(d);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static int d;

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

    public static void main(String[] e) throws Exception {
        a g = new a();
        for (int i = 0; i < 5; i++) {
            c j = new c(7 + i);
            l("t" + i, () -> {
                g.a();
                k(++d == 1);
                p(1, 5);
                d--;
                g.b();
                j.run();
            });
        }
        f(e);
    }
}
