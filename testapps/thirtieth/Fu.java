// @lock Fu$a
// @type SEMAPHORE form=rate-limiter
// @role acquire Fu$a.a
// @role release Fu$a.b

// @lock Fu$b
// @type DELAY
// @role delay Fu$b.c

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Calls to a carrier's interface are rationed by tokens that a clock hands out; a refused call is tried again after a growing pause. Obfuscated. */
public class Fu {
    static class a {
        private int a;
        private final int b;
        private long c;

        a(int d) {
            b = d;
        }

        synchronized void a() throws InterruptedException {
            while (a < 1) {
                wait();
            }
            a--;
        }

        synchronized void b(int d) {
            int e = Math.min(d, b - a);
            a += e;
            c += e;
            if (e > 0) {
                notifyAll();
            }
        }

        synchronized long c() {
            return c;
        }
    }

    static final AtomicLong c = new AtomicLong();
    static final AtomicInteger d = new AtomicInteger();
    static volatile boolean e;

    static class b implements Runnable {
        private final a a;
        private int b;

        b(a d) {
            a = d;
        }

        private boolean b() throws InterruptedException {
            a.a();
            c.incrementAndGet();
            Thread.sleep(1);
            return d.incrementAndGet() % 3 != 0;
        }

        private void c() throws InterruptedException {
            b = b == 0 ? 2 : Math.min(16, b * 2);
            synchronized (this) {
                this.wait(b);
            }
        }

        public void run() {
            try {
                while (true) {
                    if (b()) {
                        b = 0;
                    } else {
                        c();
                    }
                }
            } catch (InterruptedException d) {
                e = true;
            }
        }
    }

    public static void main(String[] f) throws InterruptedException {
        int g = f.length > 0 ? Integer.parseInt(f[0]) : 600;
        final a h = new a(6);
        for (int i = 0; i < 5; i++) {
            Thread j = new Thread(new b(h));
            j.setDaemon(true);
            j.start();
        }
        Thread k = new Thread() {
            @Override
            public void run() {
                try {
                    while (true) {
                        sleep(10);
                        h.b(4);
                    }
                } catch (InterruptedException l) {
                    e = true;
                }
            }
        };
        k.setDaemon(true);
        k.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(g * 1000L);
        long l = c.get();
        if (e || l == 0 || l > h.c()) {
            throw new IllegalStateException(l + " calls, " + h.c() + " tokens");
        }
        System.out.println("DONE " + l);
    }
}
