// @lock Qa$a
// @type LOCK reentrant=false
// @role lock Qa$a.a
// @role unlock Qa$a.b

// @lock Qa$b
// @type CONDITION form=resettable-event
// @role wait Qa$b.a
// @role notify Qa$b.b

import java.util.Random;

/** Cash register drawers served by number, and a switch by which the supervisor stops and releases all tills. Obfuscated. */
public final class Qa {
    static final class a {
        private long a;
        private long b;

        final synchronized long a() throws InterruptedException {
            long c = this.a++;
            while (c != this.b) {
                this.wait();
            }
            return c;
        }

        final synchronized void b(long c) {
            if (c != this.b) {
                throw new IllegalStateException("a");
            }
            ++this.b;
            this.notifyAll();
        }
    }

    static final class b {
        private boolean a;
        private int b;

        final synchronized int a() throws InterruptedException {
            int c = 0;
            while (!this.a) {
                this.wait();
                ++c;
            }
            ++this.b;
            return c;
        }

        final synchronized void b() {
            this.a = true;
            this.notifyAll();
        }

        final synchronized int c() {
            this.a = false;
            int c = this.b;
            this.b = 0;
            return c;
        }
    }

    private static int c;
    private static long d;
    private static volatile boolean e;
    private static final a f = new a();
    private static final b g = new b();

    static final class c implements Runnable {
        private final int a;

        c(int b) {
            this.a = b;
        }

        @Override
        public final void run() {
            Random b = new Random();
            try {
                while (!e) {
                    g.a();
                    long c = f.a();
                    try {
                        Qa.c += this.a;
                        Thread.sleep(1 + b.nextInt(3));
                        Qa.c -= this.a;
                        if (Qa.c != 0) {
                            e = true;
                        }
                        ++d;
                    } finally {
                        f.b(c);
                    }
                    Thread.sleep(b.nextInt(3));
                }
            } catch (InterruptedException c) {
                e = true;
            }
        }
    }

    static final class d extends Thread {
        @Override
        public final void run() {
            try {
                while (true) {
                    g.b();
                    Thread.sleep(20L);
                    g.c();
                    Thread.sleep(15L);
                }
            } catch (InterruptedException a) {
                return;
            }
        }
    }

    public static void main(String[] h) throws InterruptedException {
        long i = h.length > 0 ? Long.parseLong(h[0]) : 600L;
        for (int j = 1; j <= 5; ++j) {
            Thread k = new Thread(new c(j));
            k.setDaemon(true);
            k.start();
        }
        d l = new d();
        l.setDaemon(true);
        l.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(i * 1000L);
        long m = f.a();
        long n = d;
        f.b(m);
        if (e || n == 0L) {
            throw new IllegalStateException("two hands in one drawer");
        }
        System.out.println("DONE " + n);
    }
}
