// @lock Ev$a
// @type JOIN
// @role join Ev$a.b
// @role join Ev$a.c

// @lock Ev$c
// @type CONDITION
// @role wait Ev$c.a
// @role notify Ev$c.b

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Export threads that sign off on themselves as the last thing they do; a return passes inspection, repair and storing, each desk waiting for its state. Obfuscated. */
public class Ev {
    static class a extends Thread {
        private boolean a;
        private int b;

        @Override
        public void run() {
            try {
                for (int c = 0; c < 3; c++) {
                    sleep(1 + c);
                    b += c;
                }
            } catch (InterruptedException c) {
                b = -1;
            }
            a();
        }

        private synchronized void a() {
            a = true;
            notifyAll();
        }

        synchronized int b() throws InterruptedException {
            while (!a) {
                wait();
            }
            return b;
        }

        synchronized int c() throws InterruptedException {
            while (!a) {
                wait(1000);
            }
            return b;
        }
    }

    static class c {
        private int a;

        synchronized void a(int b) throws InterruptedException {
            while (a != b) {
                wait();
            }
        }

        synchronized void b(int b) {
            a = b;
            notifyAll();
        }
    }

    static final AtomicLong d = new AtomicLong();
    static volatile String e;

    static class b extends Thread {
        private final c a;
        private final int b;
        private final int[] c;

        b(c d, int e, int[] f) {
            a = d;
            b = e;
            c = f;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int f = 0; e == null; f++) {
                    a.a(b);
                    if (c[0] != f * 3 + b) {
                        e = "a return skipped a desk";
                    }
                    c[0]++;
                    sleep(2);
                    a.b((b + 1) % 3);
                    d.incrementAndGet();
                }
            } catch (InterruptedException f) {
                e = "interrupted";
            }
        }
    }

    static class d extends Thread {
        private final Random a = new Random();

        @Override
        public void run() {
            try {
                while (e == null) {
                    a b = new a();
                    b.setDaemon(true);
                    b.start();
                    int c = a.nextBoolean() ? b.b() : b.c();
                    if (c != 3) {
                        e = "an export gave " + c;
                    }
                    sleep(a.nextInt(5));
                    d.incrementAndGet();
                }
            } catch (InterruptedException b) {
                e = "interrupted";
            }
        }

        static final AtomicLong d = Ev.d;
    }

    public static void main(String[] f) throws InterruptedException {
        long g = f.length > 0 ? Long.parseLong(f[0]) : 600;
        c h = new c();
        int[] i = new int[1];
        for (int j = 0; j < 3; j++) {
            new b(h, j, i).start();
        }
        for (int j = 0; j < 2; j++) {
            d k = new d();
            k.setDaemon(true);
            k.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(g * 1000);
        if (e != null) {
            throw new IllegalStateException(e);
        }
        System.out.println("DONE " + d);
    }
}
