// @lock java.lang.Object#b
// @type CONDITION
// @role wait PriceFeed$a.b
// @role notify PriceFeed$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A value with a version: screens wait for anything newer than what they have seen, and may skip versions. Obfuscated. */
public final class PriceFeed {
    static final class a {
        private final Object d = new Object();
        private long e;
        private double f;

        long b(long g) throws InterruptedException {
            synchronized (d) {
                while (e <= g) {
                    d.wait();
                }
                return e;
            }
        }

        void c(double h) {
            synchronized (d) {
                if (f != h) {
                    f = h;
                    e++;
                    d.notifyAll();
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long i = args.length > 0 ? Long.parseLong(args[0]) : 600;
        AtomicLong j = new AtomicLong();
        AtomicLong k = new AtomicLong();
        a[] l = {new a(), new a()};
        for (int m = 0; m < 6; m++) {
            a n = l[m % 2];
            Thread o = new Thread(() -> {
                try {
                    for (long p = 0;;) {
                        long q = n.b(p);
                        if (q <= p) {
                            k.incrementAndGet();
                        }
                        p = q;
                        j.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(8));
                    }
                } catch (InterruptedException r) {
                    Thread.currentThread().interrupt();
                }
            });
            o.setDaemon(true);
            o.start();
        }
        System.out.println("READY");
        System.out.flush();
        long s = System.nanoTime() + i * 1_000_000_000L;
        while (System.nanoTime() - s < 0) {
            l[ThreadLocalRandom.current().nextInt(2)].c(ThreadLocalRandom.current().nextDouble());
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
        }
        if (k.get() != 0) {
            throw new IllegalStateException("versions went backwards");
        }
        System.out.println("DONE " + j);
    }
}
