// @lock java.lang.Thread#c
// @type JOIN
// @role join Sx.c

import java.util.concurrent.atomic.AtomicInteger;

/** Searches in four directions at once, each on a thread of its own; whoever started them looks after them. Obfuscated. */
public final class Sx {
    static final AtomicInteger a = new AtomicInteger();
    static volatile String b;

    static void c(Thread d) throws InterruptedException {
        synchronized (d) {
            for (;;) {
                if (!d.isAlive()) {
                    break;
                }
                d.wait(200);
            }
        }
    }

    static void e(int f, int[] g, int h) {
        try {
            Thread.sleep(1 + (f * 7 + h * 3) % 9);
        } catch (InterruptedException i) {
            return;
        }
        g[h] = f + h;
    }

    static void j() {
        try {
            for (int f = 0;; f++) {
                int k = f;
                int[] g = new int[4];
                Thread[] l = new Thread[4];
                for (int h = 0; h < 4; h++) {
                    int m = h;
                    l[h] = new Thread(() -> e(k, g, m));
                    l[h].setDaemon(true);
                    l[h].start();
                }
                for (int h = 3; h >= 0; h--) {
                    c(l[h]);
                    if (g[h] != f + h) {
                        b = "direction " + h + " had not ended";
                    }
                }
                a.incrementAndGet();
                Thread.sleep(2);
            }
        } catch (InterruptedException n) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long o = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int p = 0; p < 3; p++) {
            Thread q = new Thread(Sx::j);
            q.setDaemon(true);
            q.start();
        }
        System.out.println("READY");
        Thread.sleep(o * 1000);
        if (b != null) {
            throw new IllegalStateException(b);
        }
        System.out.println("DONE " + a);
    }
}
