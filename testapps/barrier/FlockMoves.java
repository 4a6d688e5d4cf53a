// @lock FlockMoves$a
// @type BARRIER parties=3
// @role arrive FlockMoves$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Two flocks of three birds, each flock moving in step on a barrier that flips its sense. Obfuscated. */
public final class FlockMoves {
    static final class a {
        private boolean c;
        private int d = 3;

        void b() throws InterruptedException {
            synchronized (this) {
                boolean e = c;
                d--;
                if (d > 0) {
                    while (e == c) {
                        wait();
                    }
                    return;
                }
                d = 3;
                c = !e;
                notifyAll();
            }
        }
    }

    private static final AtomicIntegerArray f = new AtomicIntegerArray(6);
    private static volatile boolean g;

    private static void h(a i, int j) {
        try {
            while (!g) {
                Thread.sleep(0, 100_000 * ThreadLocalRandom.current().nextInt(1, 10));
                int k = f.incrementAndGet(j);
                i.b();
                int l = j / 3 * 3;
                for (int m = l; m < l + 3; m++) {
                    int n = f.get(m) - k;
                    if (n < 0 || n > 1) {
                        g = true;
                    }
                }
                Thread.sleep(2);
                i.b();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long o = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a[] p = {new a(), new a()};
        for (int q = 0; q < 6; q++) {
            int r = q;
            Thread s = new Thread(() -> h(p[r / 3], r));
            s.setDaemon(true);
            s.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(o * 1000);
        if (g) {
            throw new IllegalStateException("a bird flew ahead: " + f);
        }
        System.out.println("DONE " + f.get(0));
    }
}
