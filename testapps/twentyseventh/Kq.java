// @lock Kq$a
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Kq$a.a
// @role read-unlock Kq$a.b
// @role write-lock Kq$a.c
// @role write-unlock Kq$a.d
//
// @lock Kq$b
// @type MUTEX
// @role enter Kq$b.a

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

public class Kq {
    static volatile String x;
    static final AtomicLong y = new AtomicLong();

    static final class a {
        private int e;
        private int f;

        void a() throws InterruptedException {
            synchronized (this) {
                while (e < 0 || f > 0) {
                    wait();
                }
                e++;
            }
        }

        void b() {
            synchronized (this) {
                if (e <= 0) {
                    throw new IllegalStateException();
                }
                if (--e == 0) {
                    notifyAll();
                }
            }
        }

        void c() throws InterruptedException {
            synchronized (this) {
                f++;
                try {
                    while (e != 0) {
                        wait();
                    }
                    e = -1;
                } finally {
                    f--;
                    if (e >= 0) {
                        notifyAll();
                    }
                }
            }
        }

        void d() {
            synchronized (this) {
                if (e != -1) {
                    throw new IllegalStateException();
                }
                e = 0;
                notifyAll();
            }
        }
    }

    static final class b {
        private final int[] c = new int[8];
        private long d;

        synchronized void a(int i) throws InterruptedException {
            c[i & 7]++;
            d++;
            Thread.sleep(1);
            long s = 0;
            for (int v : c) {
                s += v;
            }
            if (s != d) {
                x = "sum " + s + " is not " + d;
            }
        }
    }

    static final a g = new a();
    static final b h = new b();
    static int i;
    static int j;

    interface c {
        void a(Random r) throws InterruptedException;
    }

    static void a(int n, c k) {
        for (int m = 0; m < n; m++) {
            Random r = new Random(m * 31L + n);
            Thread t = new Thread(() -> {
                try {
                    for (;;) {
                        k.a(r);
                        y.incrementAndGet();
                    }
                } catch (InterruptedException | RuntimeException z) {
                    x = z.toString();
                }
            }, "t" + n + m);
            t.setDaemon(true);
            t.start();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        a(4, r -> {
            g.a();
            int p = i;
            Thread.sleep(1 + r.nextInt(4));
            if (p != i || i + j != 0) {
                x = "half an edit";
            }
            g.b();
            h.a(p);
            Thread.sleep(2 + r.nextInt(6));
        });
        a(2, r -> {
            g.c();
            i++;
            Thread.sleep(1 + r.nextInt(3));
            j--;
            g.d();
            h.a(r.nextInt());
            Thread.sleep(6 + r.nextInt(10));
        });
        System.out.println("READY");
        long q = System.currentTimeMillis() + n * 1000L;
        while (System.currentTimeMillis() < q && x == null) {
            Thread.sleep(25);
        }
        System.out.println(x != null ? x : "DONE " + y.get());
        System.exit(x != null ? 1 : 0);
    }
}
