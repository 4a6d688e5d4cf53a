// @lock Mz$a
// @type BARRIER parties=3
// @role arrive Mz$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Solver threads in rounds, obfuscated: nobody enters the next round before all three have left the last; two groups. */
public final class Mz {
    static final class a {
        private int c;
        private boolean d;

        synchronized void b() throws InterruptedException {
            while (d) {
                wait();
            }
            if (++c == 3) {
                d = true;
                notifyAll();
            } else {
                while (!d) {
                    wait();
                }
            }
            if (--c == 0) {
                d = false;
                notifyAll();
            }
        }
    }

    static final AtomicLong e = new AtomicLong();
    static volatile boolean f;

    static void g(a x, AtomicInteger y) {
        try {
            for (int r = 1; !f; r++) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                y.incrementAndGet();
                x.b();
                int v = y.get();
                if (v < 3 * r || v >= 3 * r + 3) {
                    f = true;
                }
                e.incrementAndGet();
            }
        } catch (InterruptedException z) {
            f = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int n = 0; n < 2; n++) {
            a x = new a();
            AtomicInteger y = new AtomicInteger();
            for (int m = 0; m < 3; m++) {
                Thread t = new Thread(() -> g(x, y), "m" + n + m);
                t.setDaemon(true);
                t.start();
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (f) {
            throw new IllegalStateException("a round was left before it was complete");
        }
        System.out.println("DONE " + e);
    }
}
