// @lock java.lang.Object#b
// @type SEMAPHORE permits=2
// @role acquire CraneYard$a.b
// @role release CraneYard$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Two harbours with two cranes each; the monitor is handed in from outside, waiters are counted. Obfuscated. */
public final class CraneYard {
    static final class a {
        private final Object d;
        private final int e;
        private int f;
        private int g;

        a(Object h, int i) {
            d = h;
            e = i;
        }

        void b() throws InterruptedException {
            synchronized (d) {
                if (f >= e) {
                    g++;
                    try {
                        do {
                            d.wait();
                        } while (f >= e);
                    } finally {
                        g--;
                    }
                }
                f++;
            }
        }

        void c() {
            synchronized (d) {
                f--;
                if (g > 0) {
                    d.notify();
                }
            }
        }
    }

    private static final AtomicLong j = new AtomicLong();
    private static volatile boolean k;

    private static void l(a m, AtomicInteger n) {
        try {
            while (!k) {
                m.b();
                if (n.incrementAndGet() > 2) {
                    k = true;
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                n.decrementAndGet();
                m.c();
                j.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(4));
            }
        } catch (InterruptedException o) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long p = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int q = 0; q < 2; q++) {
            a m = new a(new Object(), 2);
            AtomicInteger n = new AtomicInteger();
            for (int r = 0; r < 4; r++) {
                Thread s = new Thread(() -> l(m, n));
                s.setDaemon(true);
                s.start();
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(p * 1000);
        if (k) {
            throw new IllegalStateException("a third crane appeared");
        }
        System.out.println("DONE " + j);
    }
}
