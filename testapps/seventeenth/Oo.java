// @lock Oo$a
// @type READ-WRITE+CONDITION preference=readers reentrant=false
// @role read-lock Oo$a.a
// @role read-unlock Oo$a.b
// @role write-lock Oo$a.c
// @role write-unlock Oo$a.d
// @role notify Oo$a.d
// @role wait Oo$a.e

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A goods exchange: prices are read by brokers, fixed by the chair, and a ticker sleeps until a newer fixing is out. */
public class Oo {
    static class a {
        private static final int A = 1 << 30;
        private int a;
        private long b;

        void a() throws InterruptedException {
            synchronized (this) {
                while ((a & A) != 0) {
                    wait();
                }
                a += 1;
            }
        }

        void b() {
            synchronized (this) {
                a -= 1;
                if (a == 0) {
                    notifyAll();
                }
            }
        }

        void c() throws InterruptedException {
            synchronized (this) {
                while (a != 0) {
                    wait();
                }
                a = A;
            }
        }

        void d() {
            synchronized (this) {
                a ^= A;
                b++;
                notifyAll();
            }
        }

        long e(long v) throws InterruptedException {
            synchronized (this) {
                while (b <= v) {
                    wait();
                }
                return b;
            }
        }
    }

    static final class b {
        final a a = new a();
        final long[] b = new long[6];
        long c;

        void a() throws InterruptedException {
            a.a();
            try {
                long s = 0;
                for (long v : b) {
                    s += v;
                }
                Thread.sleep(2);
                if (s != c) {
                    e = "half a fixing";
                }
            } finally {
                a.b();
            }
        }

        void b() throws InterruptedException {
            a.c();
            try {
                int i = ThreadLocalRandom.current().nextInt(b.length);
                long v = ThreadLocalRandom.current().nextLong(1000);
                c += v - b[i];
                Thread.sleep(1);
                b[i] = v;
            } finally {
                a.d();
            }
        }
    }

    static volatile String e;
    static final AtomicLong f = new AtomicLong();

    public static void main(String[] z) throws InterruptedException {
        int n = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        b x = new b();
        for (int i = 0; i < 7; i++) {
            final int k = i;
            Thread t = new Thread(() -> {
                long v = 0;
                try {
                    for (; e == null; f.incrementAndGet()) {
                        if (k < 4) {
                            x.a();
                            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
                        } else if (k < 6) {
                            x.b();
                            Thread.sleep(ThreadLocalRandom.current().nextInt(7, 15));
                        } else {
                            long w = x.a.e(v);
                            if (w <= v) {
                                e = "stale";
                            }
                            v = w;
                        }
                    }
                } catch (InterruptedException y) {
                    e = "interrupted";
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long u = System.nanoTime() + n * 1_000_000_000L;
        while (e == null && System.nanoTime() < u) {
            Thread.sleep(20);
        }
        System.out.println(e == null ? "DONE " + f : e);
        System.exit(e == null ? 0 : 1);
    }
}
