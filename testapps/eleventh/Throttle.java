// @lock Throttle$a
// @type SEMAPHORE form=rate-limiter
// @role acquire Throttle$a.a
// @role release Throttle$a.b
//
// @lock Throttle$c
// @type DELAY
// @role delay Throttle$c.a
//
// @lock java.lang.Object#a
// @type MUTEX
// @role enter Throttle$d.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** An outgoing gateway with a token bucket, retries that back off, and one socket behind a plain lock. Obfuscated. */
public final class Throttle {
    static final class a {
        private final long a;
        private long b;
        private long c;
        private long d;

        a(long e) {
            a = e;
            b = e;
        }

        void a(long e) throws InterruptedException {
            synchronized (this) {
                while (b < e) {
                    wait();
                }
                b -= e;
                d += e;
            }
        }

        void b(long e) {
            synchronized (this) {
                long f = Math.min(a, b + e);
                c += f - b;
                b = f;
                notifyAll();
            }
        }

        boolean c() {
            synchronized (this) {
                return b >= 0 && a + c - d == b;
            }
        }
    }

    static final class c {
        private int b = 1;

        void a() throws InterruptedException {
            long e = System.nanoTime() + b * 1_000_000L;
            synchronized (this) {
                for (long f; (f = e - System.nanoTime()) > 0; ) {
                    wait(f / 1_000_000, (int) (f % 1_000_000));
                }
            }
            b = Math.min(8, b * 2);
        }

        void b() {
            b = 1;
        }
    }

    static final class d {
        private final Object c = new Object();
        private long e;

        boolean a(int f) throws InterruptedException {
            synchronized (c) {
                long g = e + f;
                if (g % 3 == 0) {
                    Thread.sleep(1);
                }
                e = g;
                return ThreadLocalRandom.current().nextInt(3) != 0;
            }
        }
    }

    private static final AtomicLong e = new AtomicLong();
    private static volatile boolean f;

    static final class g extends Thread {
        private final a a;
        private final d b;

        g(a h, d i) {
            a = h;
            b = i;
            setDaemon(true);
        }

        @Override
        public void run() {
            c h = new c();
            try {
                while (!f) {
                    int i = ThreadLocalRandom.current().nextInt(1, 4);
                    a.a(i);
                    if (b.a(i)) {
                        h.b();
                        e.incrementAndGet();
                        sleep(ThreadLocalRandom.current().nextInt(2));
                    } else {
                        h.a();
                    }
                }
            } catch (InterruptedException i) {
                interrupt();
            }
        }
    }

    public static void main(String[] h) throws InterruptedException {
        long i = h.length > 0 ? Long.parseLong(h[0]) : 600;
        a j = new a(12);
        d k = new d();
        for (int l = 0; l < 8; l++) {
            new g(j, k).start();
        }
        Thread l = new Thread(() -> {
            try {
                while (!f) {
                    Thread.sleep(4);
                    j.b(6);
                }
            } catch (InterruptedException m) {
                Thread.currentThread().interrupt();
            }
        });
        l.setDaemon(true);
        l.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(i * 1000);
        if (!j.c()) {
            throw new IllegalStateException("tokens were lost");
        }
        System.out.println("DONE " + e);
    }
}
