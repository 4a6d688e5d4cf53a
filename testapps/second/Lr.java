// @lock java.lang.Object#f
// @type PRODUCER-CONSUMER capacity=8
// @role put Lr.f
// @role take Lr.g

import java.util.concurrent.atomic.AtomicLong;

/** Two ever-growing sequence numbers over a small array. Obfuscated. */
final class Lr {
    private final Object a;
    private final long[] b;
    private final int c;
    private long d;
    private long e;

    Lr(Object h, int i) {
        a = h;
        b = new long[1 << i];
        c = b.length - 1;
    }

    long f(long h) {
        synchronized (a) {
            while (d - e == b.length) {
                j();
            }
            b[(int) d & c] = h;
            a.notifyAll();
            return d++;
        }
    }

    long g() {
        synchronized (a) {
            for (; d == e;) {
                j();
            }
            long h = b[(int) e & c];
            e++;
            a.notifyAll();
            return h;
        }
    }

    private void j() {
        try {
            a.wait();
        } catch (InterruptedException h) {
            throw new IllegalStateException(h);
        }
    }

    static void k(long h) {
        try {
            Thread.sleep(h);
        } catch (InterruptedException i) {
            throw new IllegalStateException(i);
        }
    }

    static volatile boolean l;

    public static void main(String[] m) {
        long n = m.length > 0 ? Long.parseLong(m[0]) : 600;
        final Lr o = new Lr(new Object(), 3);
        final AtomicLong p = new AtomicLong();
        Thread[] q = new Thread[3];
        for (int r = 0; r < q.length; r++) {
            final int s = r;
            q[r] = new Thread(() -> {
                long t = -1;
                for (int u = 0;; u++) {
                    if (s == 0) {
                        o.f(u);
                        k(u % 3 == 0 ? u / 256 % 2 * 5 : 0);
                    } else {
                        long v = o.g();
                        if (v <= t) {
                            l = true;
                        }
                        t = v;
                        p.incrementAndGet();
                        k(2);
                    }
                }
            });
            q[r].setDaemon(true);
        }
        for (Thread r : q) {
            r.start();
        }
        System.out.println("READY");
        System.out.flush();
        k(n * 1000);
        if (l) {
            System.out.println("order lost");
            System.exit(1);
        }
        System.out.println("DONE " + p);
    }
}
