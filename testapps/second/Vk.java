// @lock java.lang.Object#c
// @type SEMAPHORE permits=5
// @role acquire Vk.c
// @role release Vk.d

import java.util.Random;

/** Radio channels as bits of a long, lent out one by one. Obfuscated. */
class Vk implements Runnable {
    private static final Object a = new Object();
    private static long b = 0x1F;

    static long c() throws InterruptedException {
        synchronized (a) {
            for (;;) {
                if (b != 0L) {
                    long e = Long.lowestOneBit(b);
                    b ^= e;
                    return e;
                }
                a.wait();
            }
        }
    }

    static void d(long e) {
        synchronized (a) {
            boolean f = b == 0L;
            b |= e;
            if (f) {
                a.notifyAll();
            }
        }
    }

    private static final java.util.concurrent.atomic.AtomicLong g = new java.util.concurrent.atomic.AtomicLong();
    private static volatile boolean h;
    private static volatile boolean i;
    private final Random j;
    private int k;

    Vk(int l) {
        j = new Random(l);
    }

    @Override
    public void run() {
        try {
            while (!i) {
                long m = c();
                long n = g.getAndUpdate(x -> x | m);
                if ((n & m) != 0) {
                    h = true;
                }
                Thread.sleep(1 + j.nextInt(4));
                g.getAndUpdate(x -> x & ~m);
                d(m);
                k++;
                Thread.sleep(j.nextInt(3));
            }
        } catch (InterruptedException o) {
            h = true;
        }
    }

    public static void main(String[] p) throws InterruptedException {
        long q = p.length > 0 ? Long.parseLong(p[0]) : 600;
        Vk[] r = new Vk[8];
        Thread[] s = new Thread[r.length];
        for (int t = 0; t < r.length; t++) {
            r[t] = new Vk(t);
            s[t] = new Thread(r[t]);
            s[t].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(q * 1000);
        i = true;
        int u = 0;
        for (int t = 0; t < r.length; t++) {
            s[t].join();
            u += r[t].k;
        }
        if (h || b != 0x1F) {
            System.out.println("channel used twice");
            System.exit(1);
        }
        System.out.println("DONE " + u);
    }
}
