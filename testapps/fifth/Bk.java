// @lock Bk$a
// @type SEMAPHORE permits=4
// @role acquire Bk$a.b
// @role release Bk$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A bulkhead around a slow back end, obfuscated: four slots, a bit each in one number; a caller keeps the number of its slot. */
public final class Bk {
    static final class a {
        private int d = 0xf;

        int b() throws InterruptedException {
            synchronized (this) {
                int s;
                while ((s = Integer.lowestOneBit(d)) == 0) {
                    wait();
                }
                d ^= s;
                return Integer.numberOfTrailingZeros(s);
            }
        }

        void c(int n) {
            synchronized (this) {
                if ((d & 1 << n) != 0) {
                    throw new IllegalStateException("slot " + n + " is free already");
                }
                d |= 1 << n;
                notify();
            }
        }
    }

    static final AtomicIntegerArray e = new AtomicIntegerArray(4);
    static final AtomicLong f = new AtomicLong();
    static volatile boolean g;

    static void h(a x) throws InterruptedException {
        int n = x.b();
        if (e.incrementAndGet(n) != 1) {
            g = true;
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
        e.decrementAndGet(n);
        x.c(n);
        f.incrementAndGet();
        Thread.sleep(1);
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a x = new a();
        for (int i = 0; i < 9; i++) {
            Thread t = new Thread(() -> {
                while (!g) {
                    try {
                        h(x);
                    } catch (InterruptedException | IllegalStateException z) {
                        g = true;
                    }
                }
            }, "b" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (g) {
            throw new IllegalStateException("a slot was given to two callers");
        }
        System.out.println("DONE " + f);
    }
}
