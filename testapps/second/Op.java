// @lock java.lang.Class#c
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Op.c
// @role read-unlock Op.d
// @role write-lock Op.e
// @role write-unlock Op.f

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Everything static, and everything in one long: who is in, who writes, who would like to. Obfuscated. */
public class Op {
    private static final long a = 1L << 62;
    private static final long b = 1L << 32;
    private static long g;

    static synchronized void c() throws InterruptedException {
        while (g >= b) {
            Op.class.wait();
        }
        g++;
    }

    static synchronized void d() {
        g--;
        if ((g & (b - 1)) == 0) {
            Op.class.notifyAll();
        }
    }

    static synchronized void e() throws InterruptedException {
        g += b;
        try {
            while ((g & a) != 0 || (g & (b - 1)) != 0) {
                Op.class.wait();
            }
            g |= a;
        } finally {
            g -= b;
        }
    }

    static synchronized void f() {
        g &= ~a;
        Op.class.notifyAll();
    }

    private static int h;
    private static int i;
    private static volatile boolean j;
    private static final AtomicLong k = new AtomicLong();

    private static void l(Random m) throws InterruptedException {
        e();
        h++;
        Thread.sleep(1 + m.nextInt(2));
        i++;
        if (h != i) {
            j = true;
        }
        f();
    }

    private static void n(Random m) throws InterruptedException {
        c();
        int o = h;
        Thread.sleep(m.nextInt(3));
        if (o != i) {
            j = true;
        }
        d();
    }

    public static void main(String[] p) throws InterruptedException {
        long q = p.length > 0 ? Long.parseLong(p[0]) : 600;
        for (int r = 0; r < 6; r++) {
            final int s = r;
            Thread t = new Thread() {
                @Override
                public void run() {
                    Random m = new Random(s);
                    try {
                        while (true) {
                            if (s < 2) {
                                l(m);
                                sleep(4 + m.nextInt(8));
                            } else {
                                n(m);
                                sleep(1 + m.nextInt(4));
                            }
                            k.incrementAndGet();
                        }
                    } catch (InterruptedException u) {
                        j = true;
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(q * 1000);
        if (j) {
            System.out.println("h is not i");
            System.exit(1);
        }
        System.out.println("DONE " + k);
    }
}
