// @lock Bk$a
// @type DELAY
// @role delay Bk$a.b

import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Something is tried again and again, each time a little later. Obfuscated. */
public class Bk {
    static class a {
        private final int a;

        a(int c) {
            a = c;
        }

        void b(int c) throws InterruptedException {
            long d = System.nanoTime() + Math.min(a, 1L << c) * 1000000L;
            synchronized (this) {
                for (long e = d - System.nanoTime(); e > 0; e = d - System.nanoTime()) {
                    wait(e / 1000000, (int) (e % 1000000));
                }
            }
        }
    }

    static final a f = new a(16);
    static final AtomicBoolean g = new AtomicBoolean();
    static final AtomicLong h = new AtomicLong();
    static volatile boolean i;
    static int j;

    static void k(Random l) throws InterruptedException {
        for (int m = 0; !g.compareAndSet(false, true); m++) {
            f.b(m);
        }
        if (++j != 1) {
            i = true;
        }
        Thread.sleep(1 + l.nextInt(4));
        j--;
        g.set(false);
        h.incrementAndGet();
        Thread.sleep(l.nextInt(8));
    }

    public static void main(String[] n) throws InterruptedException {
        long o = n.length > 0 ? Long.parseLong(n[0]) : 600;
        for (int p = 0; p < 4; p++) {
            final Random q = new Random(p);
            Thread r = new Thread() {
                @Override
                public void run() {
                    try {
                        for (;;) {
                            k(q);
                        }
                    } catch (InterruptedException s) {
                        i = true;
                    }
                }
            };
            r.setDaemon(true);
            r.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(o * 1000);
        if (i) {
            System.out.println("two at once");
            System.exit(1);
        }
        System.out.println("DONE " + h);
    }
}
