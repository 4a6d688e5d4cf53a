// @lock Jt$b
// @type DELAY
// @role delay Jt$b.c

import java.util.concurrent.atomic.AtomicIntegerArray;

/** The frame pacing of a small game: sprites, sound and network all doze on one shared object. Obfuscated. */
public final class Jt {
    static class a {
        private final long a = System.nanoTime();

        final long a() {
            return (System.nanoTime() - a) / 1_000_000L;
        }
    }

    static final class b extends a {
        long c(long d) {
            long e;
            synchronized (this) {
                while ((e = d - a()) > 0) {
                    try {
                        wait(e);
                    } catch (InterruptedException f) {
                        Thread.currentThread().interrupt();
                        return -1;
                    }
                }
            }
            return -e;
        }
    }

    static final AtomicIntegerArray g = new AtomicIntegerArray(4);
    static volatile int h;

    static void i(b j, int k) {
        long l = j.a();
        for (;;) {
            l += 7 + 2 * k;
            if (l < j.a()) {
                l = j.a() + 1;
            }
            if (j.c(l) < 0) {
                return;
            }
            if (j.a() < l) {
                h = 1;
            }
            g.incrementAndGet(k);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long m = args.length > 0 ? Long.parseLong(args[0]) : 600;
        b j = new b();
        for (int n = 0; n < 4; n++) {
            int k = n;
            Thread o = new Thread(() -> i(j, k));
            o.setDaemon(true);
            o.start();
        }
        System.out.println("READY");
        Thread.sleep(m * 1000);
        if (h != 0) {
            System.err.println("a frame came too early");
            System.exit(1);
        }
        System.out.println("DONE " + (g.get(0) + g.get(1) + g.get(2) + g.get(3)));
    }
}
