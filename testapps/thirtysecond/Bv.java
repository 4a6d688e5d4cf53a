// @lock Bv$a
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Bv$a.a
// @role read-unlock Bv$a.b
// @role write-lock Bv$a.c
// @role write-unlock Bv$a.b

// @lock Bv$b
// @type SEMAPHORE permits=3
// @role acquire Bv$b.a
// @role release Bv$b.b

// @lock Bv$c
// @type NOT-SHARED
// @quiet

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** One number for those in (many, or minus one) and one for those who want to be alone; three bits of a mask. Obfuscated. */
public final class Bv {
    static final class a {
        private int a;
        private int b;

        synchronized void a() throws InterruptedException {
            while (a == -1 || b != 0) {
                wait();
            }
            a++;
        }

        synchronized void b() {
            a = a == -1 ? 0 : a - 1;
            if (a == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            b++;
            while (a != 0) {
                wait();
            }
            b--;
            a = -1;
        }
    }

    static final class b {
        private int a = 0b111;

        int a() throws InterruptedException {
            synchronized (this) {
                while (a == 0) {
                    wait();
                }
                int c = Integer.lowestOneBit(a);
                a ^= c;
                return c;
            }
        }

        void b(int c) {
            synchronized (this) {
                a |= c;
                notify();
            }
        }
    }

    static final class c {
        private int a;

        synchronized int a(int d) {
            a += d;
            return a;
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
        AtomicInteger m = new AtomicInteger();
        java.util.concurrent.atomic.AtomicIntegerArray n = new java.util.concurrent.atomic.AtomicIntegerArray(5);
        for (int j = 0; j < 5; j++) {
            int q = j;
            c r = new c();
            l("t" + j, () -> {
                if (r.a(1) % 4 == q % 4) {
                    h.c();
                    k(m.getAndSet(-100) == 0);
                    p(1, 3);
                    m.set(0);
                    h.b();
                } else {
                    h.a();
                    k(m.incrementAndGet() > 0);
                    p(1, 3);
                    m.decrementAndGet();
                    h.b();
                }
                int s = i.a();
                k(n.incrementAndGet(s) == 1);
                p(1, 5);
                n.decrementAndGet(s);
                i.b(s);
            });
        }
        f(g);
    }
}
