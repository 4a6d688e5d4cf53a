// @lock Qh$b
// @type LOCK reentrant=false
// @role lock Qh$b.a
// @role lock Qh$b.b
// @role unlock Qh$b.c
// @lock Qh$d
// @type DELAY
// @role delay Qh$d.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public final class Qh {
    private enum a {
        a, b, c
    }

    static final class b {
        private a a = Qh.a.a;

        synchronized void a() throws InterruptedException {
            if (a == Qh.a.a) {
                a = Qh.a.b;
                return;
            }
            do {
                a = Qh.a.c;
                wait();
            } while (a != Qh.a.a);
            a = Qh.a.c;
        }

        synchronized boolean b(long d) throws InterruptedException {
            if (a == Qh.a.a) {
                a = Qh.a.b;
                return true;
            }
            long e = System.nanoTime() + d * 1000000;
            do {
                a = Qh.a.c;
                long f = (e - System.nanoTime()) / 1000000;
                if (f <= 0) {
                    return false;
                }
                wait(f);
            } while (a != Qh.a.a);
            a = Qh.a.c;
            return true;
        }

        synchronized void c() {
            switch (a) {
                case c:
                    a = Qh.a.a;
                    notify();
                    break;
                case b:
                    a = Qh.a.a;
                    break;
                default:
                    throw new IllegalStateException("d");
            }
        }
    }

    static final class d {
        private int a;

        void a(int b) {
            boolean c = false;
            synchronized (this) {
                a++;
                try {
                    wait(b);
                } catch (InterruptedException e) {
                    c = true;
                }
            }
            if (c) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final b e = new b();
    private static final AtomicLong f = new AtomicLong();
    private static final AtomicLong g = new AtomicLong();
    private static volatile boolean h;
    private static volatile String i;
    private static int j;

    private static void a(boolean k, d l) throws InterruptedException {
        ThreadLocalRandom m = ThreadLocalRandom.current();
        while (!h) {
            if (k) {
                e.a();
            } else if (!e.b(m.nextInt(2, 12))) {
                g.incrementAndGet();
                l.a(3);
                continue;
            }
            try {
                int n = ++j;
                Thread.sleep(m.nextInt(1, 4));
                if (j != n) {
                    i = "n";
                }
            } finally {
                e.c();
            }
            f.incrementAndGet();
            l.a(m.nextInt(2, 9));
        }
    }

    public static void main(String[] k) throws InterruptedException {
        long l = k.length > 0 ? Long.parseLong(k[0]) : 600;
        d q = new d();
        Thread[] m = new Thread[5];
        for (int n = 0; n < m.length; n++) {
            boolean o = n < 3;
            m[n] = new Thread() {
                @Override
                public void run() {
                    try {
                        a(o, q);
                    } catch (InterruptedException p) {
                        i = "p";
                    }
                }
            };
            m[n].setDaemon(true);
            m[n].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(l * 1000);
        h = true;
        for (Thread n : m) {
            n.join();
        }
        if (i != null || j != f.get()) {
            System.out.println(i + " " + j + " " + f);
            System.exit(1);
        }
        System.out.println("DONE " + (f.get() + g.get()));
    }
}
