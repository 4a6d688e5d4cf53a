// @lock BarberShop$a
// @type LOCK reentrant=false
// @role lock BarberShop$a.c
// @role unlock BarberShop$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** One barber's chair, handed straight to whoever has waited longest; a chain of nodes, a monitor each. Obfuscated. */
public final class BarberShop {
    static final class a {
        static final class b {
            private final Thread e;
            private b f;
            private boolean g = true;

            b(Thread h) {
                e = h;
            }
        }

        private Thread i;
        private b j;
        private b k;

        void c() throws InterruptedException {
            b l = new b(Thread.currentThread());
            synchronized (this) {
                if (i == null) {
                    i = l.e;
                    return;
                }
                if (k == null) {
                    j = l;
                } else {
                    k.f = l;
                }
                k = l;
            }
            synchronized (l) {
                while (l.g) {
                    l.wait();
                }
            }
        }

        void d() {
            b l;
            synchronized (this) {
                if (i != Thread.currentThread()) {
                    throw new IllegalMonitorStateException();
                }
                l = j;
                if (l == null) {
                    i = null;
                    return;
                }
                j = l.f;
                if (j == null) {
                    k = null;
                }
                i = l.e;
            }
            synchronized (l) {
                l.g = false;
                l.notify();
            }
        }
    }

    private static long m;
    private static volatile boolean n;
    private static final AtomicLong o = new AtomicLong();

    private static void p(a q) throws InterruptedException {
        q.c();
        try {
            long r = ++m;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            if (r != m) {
                n = true;
            }
        } finally {
            q.d();
        }
        o.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
    }

    public static void main(String[] args) throws InterruptedException {
        long s = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a t = new a();
        for (int u = 0; u < 5; u++) {
            Thread v = new Thread(() -> {
                try {
                    while (!n) {
                        p(t);
                    }
                } catch (InterruptedException w) {
                    Thread.currentThread().interrupt();
                }
            });
            v.setDaemon(true);
            v.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(s * 1000);
        if (n) {
            throw new IllegalStateException("two customers in one chair");
        }
        System.out.println("DONE " + o);
    }
}
