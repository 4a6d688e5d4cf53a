// @lock java.lang.Object#b
// @type SEMAPHORE permits=4
// @role acquire StallRow$a.b
// @role release StallRow$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Four stalls as the bits of a number: the lowest free one is taken, and its number is the receipt. Obfuscated. */
public final class StallRow {
    static final class a {
        private final Object d = new Object();
        private int e = 0xF;

        int b() throws InterruptedException {
            int f;
            synchronized (d) {
                while (e == 0) {
                    d.wait();
                }
                f = Integer.numberOfTrailingZeros(e);
                e &= e - 1;
            }
            return f;
        }

        boolean c(int g) {
            synchronized (d) {
                int h = e;
                e |= 1 << g;
                d.notify();
                return h != e;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long i = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a j = new a();
        AtomicLong k = new AtomicLong();
        AtomicInteger l = new AtomicInteger();
        AtomicIntegerArray m = new AtomicIntegerArray(4);
        for (int n = 0; n < 9; n++) {
            Thread o = new Thread(() -> {
                try {
                    while (true) {
                        int p = j.b();
                        if (m.incrementAndGet(p) != 1) {
                            l.incrementAndGet();
                        }
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                        m.decrementAndGet(p);
                        if (!j.c(p)) {
                            l.incrementAndGet();
                        }
                        k.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    }
                } catch (InterruptedException q) {
                    l.incrementAndGet();
                }
            });
            o.setDaemon(true);
            o.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(i * 1000);
        if (l.get() != 0) {
            throw new IllegalStateException("a stall was given twice: " + l);
        }
        System.out.println("DONE " + k);
    }
}
