// @lock Bw$a
// @type LOCK reentrant=false
// @role lock Bw$a.a
// @role unlock Bw$a.b
//
// @lock java.lang.Class
// @type MUTEX
// @role enter Bw$b.a
// @role enter Bw$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A ski lift's loading point served strictly in turn, and the day's statistics kept in a class. */
public class Bw {
    static class a {
        private long a;
        private long b;

        void a() {
            boolean i = false;
            synchronized (this) {
                long t = a++;
                while (t != b) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        i = true;
                    }
                }
            }
            if (i) {
                Thread.currentThread().interrupt();
            }
        }

        synchronized void b() {
            b++;
            notifyAll();
        }
    }

    static class b {
        private static final long[] a = new long[24];
        private static long b;

        static synchronized void a(int h) {
            a[h]++;
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            b++;
        }

        static synchronized long b() {
            long s = 0;
            for (long v : a) {
                s += v;
            }
            return s == b ? s : -1;
        }
    }

    static int c;
    static volatile String d;
    static final AtomicLong e = new AtomicLong();

    static void f(a l) {
        while (d == null && !Thread.currentThread().isInterrupted()) {
            l.a();
            try {
                c++;
                if (c != 1) {
                    d = "two at the loading point";
                }
                g(2);
                c--;
            } finally {
                l.b();
            }
            for (int i = 0; i < 3; i++) {
                b.a(ThreadLocalRandom.current().nextInt(24));
            }
            if (b.b() < 0) {
                d = "statistics differ";
            }
            e.incrementAndGet();
            g(ThreadLocalRandom.current().nextInt(1, 4));
        }
    }

    static void g(long n) {
        try {
            Thread.sleep(n);
        } catch (InterruptedException x) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long s = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a l = new a();
        ThreadGroup h = new ThreadGroup("g");
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(h, () -> f(l));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        while (s-- > 0 && d == null) {
            Thread.sleep(1000);
        }
        h.interrupt();
        if (d != null) {
            System.out.println(d);
            System.exit(1);
        }
        System.out.println("DONE " + e.get());
    }
}
