// @lock Rw9$a
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Rw9$a.a
// @role write-lock Rw9$a.b
// @role read-unlock Rw9$a.c
// @role write-unlock Rw9$a.c
// @lock Rw9$b
// @type DELAY
// @role delay Rw9$c.run

import java.util.concurrent.atomic.AtomicLong;

/** Exchange rates, read by many; a feed's update goes before readers who come later. One counter: -1 is a writer. */
public class Rw9 {
    static volatile String e;
    static final AtomicLong f = new AtomicLong();
    static long g;
    static long h;

    static class a {
        private int a;
        private int b;

        synchronized void a() throws InterruptedException {
            while (a < 0 || b > 0) {
                wait();
            }
            a++;
        }

        synchronized void b() throws InterruptedException {
            b++;
            try {
                while (a != 0) {
                    wait();
                }
                a = -1;
            } finally {
                b--;
            }
        }

        synchronized void c() {
            if (a > 0) {
                a--;
            } else if (a < 0) {
                a = 0;
            } else {
                e = "not locked";
            }
            if (a == 0) {
                notifyAll();
            }
        }
    }

    static class b {
        final int a;

        b(int a) {
            this.a = a;
        }
    }

    static class c implements Runnable {
        private final a a;
        private final b b;
        private final boolean c;

        c(a a, b b, boolean c) {
            this.a = a;
            this.b = b;
            this.c = c;
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    if (c) {
                        a.b();
                        g++;
                        Thread.sleep(2);
                        h++;
                        a.c();
                    } else {
                        a.a();
                        long x = g;
                        if (x != h) {
                            e = "torn rate";
                        }
                        Thread.sleep(3);
                        if (x != h) {
                            e = "rate moved";
                        }
                        a.c();
                        f.incrementAndGet();
                    }
                    long t = System.nanoTime() + b.a * 1000000L;
                    synchronized (b) {
                        long r;
                        while ((r = t - System.nanoTime()) > 0) {
                            b.wait(1 + r / 1000000L);
                        }
                    }
                }
            } catch (InterruptedException x) {
                e = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws Exception {
        int s = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        a a = new a();
        for (int i = 0; i < 7; i++) {
            Thread t = new Thread(new c(a, new b(i < 2 ? 9 : 4), i < 2));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long q = System.nanoTime() + s * 1000000000L;
        while (System.nanoTime() < q && e == null) {
            Thread.sleep(30);
        }
        if (e != null) {
            System.out.println(e);
            System.exit(1);
        }
        System.out.println("DONE " + f);
        System.exit(0);
    }
}
