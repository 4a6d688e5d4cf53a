// @lock java.lang.Object#b
// @type PRODUCER-CONSUMER+MUTEX capacity=4
// @role put Gt$a.a
// @role take Gt$a.b
// @role enter Gt$a.c
// @role enter Gt$a.d

// @lock Gt$b
// @type NOT-SHARED
// @quiet

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Four totes between pickers and packers; the error statistics of the belt use the belt's lock. Packers write into line buffers of their own. Obfuscated. */
public class Gt {
    static class a {
        private final Object a = new Object();
        private final int[] b = new int[4];
        private int c;
        private int d;
        private int e;
        private int f;

        void a(int g) throws InterruptedException {
            synchronized (a) {
                while (c - d == b.length) {
                    a.wait();
                }
                b[c++ & 3] = g;
                a.notifyAll();
            }
        }

        int b() throws InterruptedException {
            synchronized (a) {
                while (c == d) {
                    a.wait();
                }
                int g = b[d++ & 3];
                a.notifyAll();
                return g;
            }
        }

        void c(int g) throws InterruptedException {
            synchronized (a) {
                e += g;
                Thread.sleep(1);
                f -= g;
            }
        }

        int d() {
            synchronized (a) {
                return e + f;
            }
        }
    }

    static class b {
        private final StringBuilder a = new StringBuilder();

        synchronized void a(int c) {
            a.append(c).append(';');
        }

        synchronized int b() {
            int c = a.length();
            a.setLength(0);
            return c;
        }
    }

    static final AtomicLong c = new AtomicLong();
    static final AtomicLong d = new AtomicLong();
    static final AtomicLong e = new AtomicLong();
    static volatile boolean f;
    static volatile boolean g;

    static void a(a h) {
        Random i = new Random();
        try {
            while (!g) {
                int j = i.nextInt(1000);
                c.addAndGet(j);
                h.a(j);
                if (j % 5 == 0) {
                    h.c(j);
                }
                Thread.sleep(j % 20 == 0 ? 25 : i.nextInt(3));
            }
        } catch (InterruptedException j) {
            f = true;
        }
    }

    static void b(a h) {
        b i = new b();
        try {
            for (int j = 1;; j++) {
                int k = h.b();
                Thread.sleep(2);
                i.a(k);
                if (j % 10 == 0 && (i.b() < 20 || h.d() != 0)) {
                    f = true;
                }
                if (j % 6 == 0) {
                    h.c(j);
                }
                e.incrementAndGet();
                d.addAndGet(k);
            }
        } catch (InterruptedException j) {
            f = true;
        }
    }

    public static void main(String[] h) throws InterruptedException {
        long i = h.length > 0 ? Long.parseLong(h[0]) : 600;
        a j = new a();
        Thread[] k = new Thread[6];
        for (int l = 0; l < 6; l++) {
            k[l] = new Thread(l < 3 ? () -> a(j) : (Runnable) () -> b(j));
            k[l].setDaemon(true);
            k[l].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(i * 1000);
        g = true;
        for (int l = 0; l < 3; l++) {
            k[l].join();
        }
        for (int l = 0; l < 1000 && c.get() != d.get(); l++) {
            Thread.sleep(10);
        }
        if (f || c.get() != d.get()) {
            throw new IllegalStateException("totes lost");
        }
        System.out.println("DONE " + e);
    }
}
