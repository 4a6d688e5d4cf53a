// @lock Zb$a
// @type BARRIER parties=4
// @role arrive Zb$a.a

import java.util.concurrent.atomic.AtomicLongArray;

/** A sense-reversing barrier, four columns of a cellular automaton. Obfuscated. */
public class Zb {
    static class a {
        private final int a;
        private int b;
        private boolean c;

        a(int d) {
            a = b = d;
        }

        synchronized boolean a(boolean d) throws InterruptedException {
            boolean e = !d;
            if (--b == 0) {
                b = a;
                c = e;
                notifyAll();
                return e;
            }
            while (c != e) {
                wait();
            }
            return e;
        }
    }

    static final int n = 4;
    static final AtomicLongArray f = new AtomicLongArray(n);
    static volatile boolean g;

    static void h(a i, int j) {
        boolean k = false;
        int[] l = new int[200 + 300 * j];
        try {
            while (true) {
                for (int m = 1; m < l.length; m++) {
                    l[m] = l[m - 1] * 31 + l[m] + j;
                }
                Thread.sleep((l[l.length - 1] >>> 4) % 5);
                f.incrementAndGet(j);
                k = i.a(k);
                long o = f.get(j);
                for (int m = 0; m < n; m++) {
                    long p = f.get(m) - o;
                    if (p < 0 || p > 1) {
                        g = true;
                    }
                }
            }
        } catch (InterruptedException q) {
            g = true;
        }
    }

    public static void main(String[] a) throws InterruptedException {
        a b = new a(n);
        for (int c = 0; c < n; c++) {
            final int d = c;
            Thread e = new Thread(() -> h(b, d));
            e.setDaemon(true);
            e.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(a.length > 0 ? Long.parseLong(a[0]) * 1000 : 600000);
        if (g) {
            System.out.println("generations mixed");
            System.exit(1);
        }
        System.out.println("DONE " + f.get(0));
    }
}
