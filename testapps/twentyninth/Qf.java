// @lock Qf$a
// @type READ-WRITE
// @role read-lock Qf$a.a
// @role read-unlock Qf$a.b
// @role write-lock Qf$a.c
// @role write-unlock Qf$a.d
// @lock Qf$e
// @type NOT-SHARED
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public final class Qf {
    static final class a {
        private final boolean[] a;
        private boolean b;

        a(int c) {
            a = new boolean[c];
        }

        private boolean e() {
            for (boolean c : a) {
                if (c) {
                    return true;
                }
            }
            return false;
        }

        synchronized void a(int c) throws InterruptedException {
            while (b) {
                wait();
            }
            a[c] = true;
        }

        synchronized void b(int c) {
            a[c] = false;
            if (b) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            while (b) {
                wait();
            }
            b = true;
            try {
                while (e()) {
                    wait();
                }
            } catch (InterruptedException c) {
                d();
                throw c;
            }
        }

        synchronized void d() {
            b = false;
            notifyAll();
        }
    }

    static final class e {
        private long[] a = new long[4];
        private int b;

        synchronized void a(long c) {
            if (b == a.length) {
                long[] d = new long[b * 2];
                System.arraycopy(a, 0, d, 0, b);
                a = d;
            }
            a[b++] = c;
        }

        synchronized long a() {
            long c = 0;
            while (b > 0) {
                c += a[--b];
            }
            return c;
        }
    }

    private static final int[] a = new int[16];
    private static final AtomicLong b = new AtomicLong();
    private static volatile String c;

    private static void a(a d, int f) throws InterruptedException {
        while (c == null) {
            d.a(f);
            int g = a[0];
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            for (int h : a) {
                if (h != g) {
                    c = "v";
                }
            }
            d.b(f);
            b.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
        }
    }

    private static void a(a d) throws InterruptedException {
        e f = new e();
        while (c == null) {
            d.c();
            int g = a[0];
            for (int h = 0; h < a.length; h++) {
                f.a(a[h]);
                a[h] = g + 1;
                if (h == 8) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                }
            }
            if (f.a() != 16L * g) {
                c = "w";
            }
            d.d();
            Thread.sleep(ThreadLocalRandom.current().nextInt(6, 15));
        }
    }

    public static void main(String[] d) throws InterruptedException {
        long f = d.length > 0 ? Long.parseLong(d[0]) : 600;
        a g = new a(4);
        for (int h = 0; h < 6; h++) {
            int i = h;
            Thread j = new Thread(() -> {
                try {
                    if (i < 4) {
                        a(g, i);
                    } else {
                        a(g);
                    }
                } catch (InterruptedException k) {
                    c = "x";
                }
            });
            j.setDaemon(true);
            j.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(f * 1000);
        if (c != null) {
            throw new IllegalStateException(c);
        }
        System.out.println("DONE " + b);
    }
}
