// @lock Fd$a
// @type LOCK reentrant=false
// @role lock Fd$a.b
// @role unlock Fd$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Two bakeries, each with numbers to draw and one baker to speak to at a time; both numbers live in one long. Obfuscated. */
public final class Fd {
    static final class a {
        private long a;
        int d;
        long e;

        void b() throws InterruptedException {
            synchronized (this) {
                int f = (int) (a >>> 32);
                a += 1L << 32;
                while ((int) a != f) {
                    wait();
                }
            }
        }

        void c() {
            synchronized (this) {
                a = a & 0xffffffff00000000L | a + 1 & 0xffffffffL;
                notifyAll();
            }
        }
    }

    static final AtomicLong g = new AtomicLong();

    static void h(a[] i, int j) {
        try {
            for (;;) {
                a k = i[ThreadLocalRandom.current().nextInt(8) < 4 ? 0 : 1];
                k.b();
                try {
                    if (k.d++ != 0) {
                        g.incrementAndGet();
                    }
                    k.e++;
                    Thread.sleep(1 + j % 3);
                    k.d--;
                } finally {
                    k.c();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            }
        } catch (InterruptedException l) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long m = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a[] i = {new a(), new a()};
        for (int n = 0; n < 7; n++) {
            int j = n;
            Thread o = new Thread(() -> h(i, j));
            o.setDaemon(true);
            o.start();
        }
        System.out.println("READY");
        Thread.sleep(m * 1000);
        long p = 0;
        for (a k : i) {
            k.b();
            p += k.e;
            k.c();
        }
        if (g.get() > 0) {
            throw new IllegalStateException("two at the counter");
        }
        System.out.println("DONE " + p);
    }
}
