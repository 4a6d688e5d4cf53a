// @lock java.lang.Object#b
// @type SEMAPHORE permits=6
// @role acquire Sv$a.b
// @role release Sv$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Six numbered slots, one bit each. */
public final class Sv {
    static final class a {
        private final Object d = new Object();
        private int e;

        private boolean a() {
            return e == 0x3f;
        }

        int b() throws InterruptedException {
            synchronized (d) {
                while (a()) {
                    d.wait();
                }
                int f = Integer.numberOfTrailingZeros(~e);
                e |= 1 << f;
                return f;
            }
        }

        void c(int f) {
            synchronized (d) {
                e &= ~(1 << f);
                d.notify();
            }
        }
    }

    static volatile int g;

    public static void main(String[] args) throws InterruptedException {
        long h = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a i = new a();
        AtomicIntegerArray j = new AtomicIntegerArray(6);
        AtomicLong k = new AtomicLong();
        Thread[] l = new Thread[11];
        for (int m = 0; m < l.length; m++) {
            l[m] = new Thread(() -> {
                try {
                    while (g == 0) {
                        int n = i.b();
                        try {
                            if (j.incrementAndGet(n) != 1) {
                                g = 2;
                            }
                            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
                            j.decrementAndGet(n);
                        } finally {
                            i.c(n);
                        }
                        k.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                    }
                } catch (InterruptedException o) {
                    g = 2;
                }
            });
            l[m].setDaemon(true);
            l[m].start();
        }
        System.out.println("READY");
        Thread.sleep(h * 1000);
        if (g == 0) {
            g = 1;
        }
        for (Thread p : l) {
            p.join(5_000);
        }
        if (g == 2) {
            throw new IllegalStateException("slot");
        }
        System.out.println("DONE " + k);
    }
}
