// @lock Qb$a
// @type SEMAPHORE permits=3
// @role acquire Qb$a.a
// @role release Qb$a.b
// @lock Qb$c
// @type LOCK reentrant=true
// @role lock Qb$c.a
// @role unlock Qb$c.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Qb {
    static class a {
        private int a = 3;
        private int b;

        synchronized void a() throws InterruptedException {
            if (--a < 0) {
                do {
                    try {
                        wait();
                    } catch (InterruptedException c) {
                        if (b > 0) {
                            b--;
                            Thread.currentThread().interrupt();
                            return;
                        }
                        a++;
                        throw c;
                    }
                } while (b == 0);
                b--;
            }
        }

        synchronized void b() {
            if (a++ < 0) {
                b++;
                notify();
            }
        }
    }

    static class c {
        private Thread a;
        private int b;

        void a() throws InterruptedException {
            Thread d = Thread.currentThread();
            synchronized (this) {
                while (a != null && a != d) {
                    wait();
                }
                a = d;
                b--;
            }
        }

        synchronized void b() {
            if (a != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            if (++b == 0) {
                a = null;
                notify();
            }
        }
    }

    static class e implements Runnable {
        private final a a;
        private final c b;
        private static int c;
        private static int d;

        e(a f, c g) {
            a = f;
            b = g;
        }

        private void a(int f) throws InterruptedException {
            b.a();
            try {
                c++;
                if (f > 0) {
                    a(f - 1);
                } else {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                }
                d++;
            } finally {
                b.b();
            }
        }

        @Override
        public void run() {
            try {
                while (k == null) {
                    a.a();
                    if (i.incrementAndGet() > 3) {
                        k = "l";
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
                    i.decrementAndGet();
                    a.b();
                    b.a();
                    if (c != d) {
                        k = "m";
                    }
                    a(ThreadLocalRandom.current().nextInt(3));
                    if (c != d) {
                        k = "n";
                    }
                    b.b();
                    j.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                }
            } catch (InterruptedException f) {
                k = "o";
            } catch (RuntimeException f) {
                k = f.toString();
            }
        }
    }

    private static final AtomicInteger i = new AtomicInteger();
    private static final AtomicLong j = new AtomicLong();
    private static volatile String k;

    public static void main(String[] f) throws InterruptedException {
        long g = f.length > 0 ? Long.parseLong(f[0]) : 600;
        a h = new a();
        c l = new c();
        for (int m = 0; m < 7; m++) {
            Thread n = new Thread(new e(h, l));
            n.setDaemon(true);
            n.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(g * 1000);
        if (k != null) {
            System.out.println(k);
            System.exit(1);
        }
        System.out.println("DONE " + j);
    }
}
