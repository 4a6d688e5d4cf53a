// @lock Rf$a
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire Rf$a.d
// @role release Rf$a.e

import java.util.Arrays;
import java.util.Random;

/** Four buffers on an array stack, each lent to one thread at a time. Obfuscated. */
public class Rf {
    static class a {
        private final byte[][] b;
        private int c;

        a(int f, int g) {
            b = new byte[f][];
            while (c < f) {
                b[c++] = new byte[g];
            }
        }

        synchronized byte[] d() throws InterruptedException {
            for (; c <= 0;) {
                wait();
            }
            byte[] f = b[--c];
            b[c] = null;
            return f;
        }

        synchronized void e(byte[] f) {
            if (f == null || c == b.length) {
                throw new IllegalArgumentException();
            }
            b[c++] = f;
            notify();
        }
    }

    private static volatile int h;
    private static final int[] i = new int[7];
    private static volatile boolean j;

    private static void k(a l, int m) {
        Random n = new Random(m);
        try {
            while (!j) {
                byte[] o = l.d();
                Arrays.fill(o, (byte) m);
                Thread.sleep(1 + n.nextInt(4));
                for (byte p : o) {
                    if (p != m) {
                        h++;
                    }
                }
                l.e(o);
                i[m]++;
                Thread.sleep(n.nextInt(5));
            }
        } catch (InterruptedException o) {
            h++;
        }
    }

    public static void main(String[] q) throws InterruptedException {
        long r = q.length > 0 ? Long.parseLong(q[0]) : 600;
        final a s = new a(4, 256);
        Thread[] t = new Thread[i.length];
        for (int u = 0; u < t.length; u++) {
            final int v = u;
            t[u] = new Thread(() -> k(s, v));
            t[u].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(r * 1000);
        j = true;
        long w = 0;
        for (int u = 0; u < t.length; u++) {
            t[u].join();
            w += i[u];
        }
        if (h > 0) {
            System.out.println("buffer used twice");
            System.exit(1);
        }
        System.out.println("DONE " + w);
    }
}
