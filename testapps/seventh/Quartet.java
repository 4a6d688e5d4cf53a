// @lock Quartet$a
// @type BARRIER parties=3
// @role arrive Quartet$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A meeting point with a door in and a door out: nobody enters again before all three have left. Obfuscated. */
public final class Quartet {
    static final class a {
        private final int c;
        private int d;
        private boolean e;

        a(int c) {
            this.c = c;
        }

        synchronized void b() throws InterruptedException {
            while (e) {
                wait();
            }
            d++;
            if (d == c) {
                e = true;
                notifyAll();
            } else {
                while (!e) {
                    wait();
                }
            }
            d--;
            if (d == 0) {
                e = false;
                notifyAll();
            }
        }
    }

    private static void f(int g, int h, a i, AtomicIntegerArray j, AtomicInteger k) {
        try {
            for (int l = 1;; l++) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                j.set(g, l);
                i.b();
                for (int m = h; m < h + 3; m++) {
                    int n = j.get(m);
                    if (n != l && n != l + 1) {
                        k.incrementAndGet();
                    }
                }
            }
        } catch (InterruptedException o) {
            k.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long p = args.length > 0 ? Long.parseLong(args[0]) : 600;
        AtomicIntegerArray q = new AtomicIntegerArray(6);
        AtomicInteger r = new AtomicInteger();
        for (int s = 0; s < 6; s += 3) {
            int t = s;
            a u = new a(3);
            for (int v = s; v < s + 3; v++) {
                int w = v;
                Thread x = new Thread(() -> f(w, t, u, q, r));
                x.setDaemon(true);
                x.start();
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(p * 1000);
        if (r.get() != 0) {
            throw new IllegalStateException("out of step: " + r);
        }
        System.out.println("DONE " + (q.get(0) + q.get(3)));
    }
}
