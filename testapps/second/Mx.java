// @lock Mx$b
// @type LATCH count=3
// @role count-down Mx$b.a
// @role await Mx$b.c

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Three partial answers are put together, then the collector is thrown away. Obfuscated. */
public class Mx {
    static class b {
        private final List<int[]> d = new ArrayList<>();
        private final int e;

        b(int f) {
            e = f;
        }

        synchronized void a(int[] f) {
            d.add(f);
            if (d.size() >= e) {
                notifyAll();
            }
        }

        synchronized int c() throws InterruptedException {
            while (true) {
                if (d.size() >= e) {
                    break;
                }
                wait();
            }
            int f = 0;
            for (int[] g : d) {
                for (int h : g) {
                    f += h;
                }
            }
            return f;
        }
    }

    static int i(int j, int k) throws InterruptedException {
        final b l = new b(3);
        final Random m = new Random(j * 31L + k);
        int n = 0;
        for (int o = 0; o < 3; o++) {
            final int[] p = new int[5];
            final int q = 1 + m.nextInt(6);
            for (int r = 0; r < p.length; r++) {
                p[r] = m.nextInt(100);
                n += p[r];
            }
            new Thread() {
                @Override
                public void run() {
                    try {
                        sleep(q);
                    } catch (InterruptedException s) {
                        return;
                    }
                    l.a(p);
                }
            }.start();
        }
        return n - l.c();
    }

    static volatile boolean t;
    static final int[] u = new int[3];

    public static void main(String[] v) throws InterruptedException {
        long w = v.length > 0 ? Long.parseLong(v[0]) : 600;
        for (int x = 0; x < u.length; x++) {
            final int y = x;
            Thread z = new Thread(() -> {
                try {
                    while (!t) {
                        if (i(y, u[y]) != 0) {
                            t = true;
                        }
                        u[y]++;
                        Thread.sleep(4);
                    }
                } catch (InterruptedException aa) {
                    t = true;
                }
            });
            z.setDaemon(true);
            z.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(w * 1000);
        if (t) {
            System.out.println("part missing");
            System.exit(1);
        }
        System.out.println("DONE " + (u[0] + u[1] + u[2]));
        System.exit(0);
    }
}
