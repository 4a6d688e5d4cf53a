// @lock GpuLease$c
// @type SEMAPHORE permits=4
// @role acquire GpuLease$c.a
// @role release GpuLease$c.a_

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Four graphics cards leased by the bit; a lease closes itself at the end of a try block. Obfuscated. */
public final class GpuLease {
    static abstract class b {
        protected int a;

        abstract int b();

        final boolean d() {
            return Integer.bitCount(a) < b();
        }
    }

    static final class c extends b {
        int b() {
            return 4;
        }

        e a() {
            boolean f = Thread.interrupted();
            try {
                synchronized (this) {
                    for (;;) {
                        if (d()) {
                            int g = Integer.lowestOneBit(~a);
                            a |= g;
                            return new e(this, g);
                        }
                        try {
                            wait();
                        } catch (InterruptedException h) {
                            f = true;
                        }
                    }
                }
            } finally {
                if (f) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        synchronized void a_(int i) {
            a &= ~i;
            notify();
        }
    }

    static final class e implements AutoCloseable {
        private final c j;
        private final int k;

        e(c l, int m) {
            j = l;
            k = m;
        }

        int n() {
            return Integer.numberOfTrailingZeros(k);
        }

        public void close() {
            j.a_(k);
        }
    }

    static final AtomicIntegerArray o = new AtomicIntegerArray(4);
    static final AtomicLong p = new AtomicLong();
    static volatile boolean q;

    static void r(c s) {
        try {
            while (!q) {
                try (e t = s.a()) {
                    if (o.incrementAndGet(t.n()) != 1) {
                        q = true;
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    o.decrementAndGet(t.n());
                }
                p.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2));
            }
        } catch (InterruptedException u) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] v) throws InterruptedException {
        long w = v.length > 0 ? Long.parseLong(v[0]) : 600;
        c x = new c();
        for (int y = 0; y < 9; y++) {
            Thread z = new Thread(() -> r(x));
            z.setDaemon(true);
            z.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(w * 1000);
        if (q) {
            throw new IllegalStateException("a card leased twice");
        }
        System.out.println("DONE " + p);
    }
}
