// @lock Tj$c
// @type PRODUCER-CONSUMER capacity=6
// @role put Tj$d.a
// @role take Tj$d.b
//
// @lock Tj$e
// @type PRODUCER-CONSUMER+SEMAPHORE capacity=4 permits=3
// @role put Tj$e.a
// @role take Tj$e.b
// @role acquire Tj$e.c
// @role release Tj$e.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A print works: sheets pass from the press to the binder over a belt with two ends; jobs and printing plates at one desk. */
public class Tj {
    static final class a {
        final long a;
        a b;

        a(long a) {
            this.a = a;
        }
    }

    static final class b {
        private int a;

        synchronized int a(int x) {
            int y = a;
            a = y + x;
            return y;
        }
    }

    static final class c {
        a a;

        c(a a) {
            this.a = a;
        }
    }

    static final class d {
        private final c a;
        private final c b;
        private final b c = new b();

        d() {
            a x = new a(0);
            a = new c(x);
            b = new c(x);
        }

        void a(long v) throws InterruptedException {
            a n = new a(v);
            int k;
            synchronized (b) {
                while (c.a(0) == 6) {
                    b.wait();
                }
                b.a.b = n;
                b.a = n;
                k = c.a(1);
                if (k + 1 < 6) {
                    b.notify();
                }
            }
            if (k == 0) {
                synchronized (a) {
                    a.notify();
                }
            }
        }

        long b() throws InterruptedException {
            long v;
            int k;
            synchronized (a) {
                while (c.a(0) == 0) {
                    a.wait();
                }
                a.a = a.a.b;
                v = a.a.a;
                k = c.a(-1);
                if (k > 1) {
                    a.notify();
                }
            }
            if (k == 6) {
                synchronized (b) {
                    b.notify();
                }
            }
            return v;
        }
    }

    static final class e {
        private final String[] a = new String[4];
        private int b;
        private int c = 3;

        synchronized void a(String s) throws InterruptedException {
            while (b == a.length) {
                wait();
            }
            a[b++] = s;
            notifyAll();
        }

        synchronized String b() throws InterruptedException {
            while (b == 0) {
                wait();
            }
            String s = a[0];
            System.arraycopy(a, 1, a, 0, --b);
            a[b] = null;
            notifyAll();
            return s;
        }

        synchronized void c() throws InterruptedException {
            while (c == 0) {
                wait();
            }
            c--;
        }

        synchronized void d() {
            c++;
            notifyAll();
        }
    }

    static final AtomicLong f = new AtomicLong();
    static final AtomicLong g = new AtomicLong();
    static final AtomicLong h = new AtomicLong();
    static final AtomicInteger i = new AtomicInteger();
    static volatile String j;

    static void k(d x, e y, int n) throws InterruptedException {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        if (n < 2) {
            for (int m = r.nextInt(1, 12); m > 0; m--) {
                x.a(f.incrementAndGet());
            }
            Thread.sleep(r.nextInt(8, 24));
        } else if (n < 4) {
            long v = x.b();
            if (v > f.get() || h.incrementAndGet() > f.get()) {
                j = "a sheet from nowhere";
            }
            Thread.sleep(r.nextInt(1, 4));
        } else if (n < 6) {
            for (int m = r.nextInt(1, 8); m > 0; m--) {
                y.a("j" + m);
            }
            Thread.sleep(r.nextInt(10, 30));
        } else {
            String s = y.b();
            if (s == null) {
                j = "no job";
            }
            y.c();
            if (i.incrementAndGet() > 3) {
                j = "four plates";
            }
            Thread.sleep(r.nextInt(5, 12));
            i.decrementAndGet();
            y.d();
            g.incrementAndGet();
        }
    }

    public static void main(String[] z) throws InterruptedException {
        int n = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        d x = new d();
        e y = new e();
        for (int q = 0; q < 11; q++) {
            final int p = q;
            Thread t = new Thread(() -> {
                try {
                    while (j == null) {
                        k(x, y, p);
                    }
                } catch (InterruptedException | RuntimeException w) {
                    j = w.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long u = System.nanoTime() + n * 1_000_000_000L;
        while (j == null && System.nanoTime() < u) {
            Thread.sleep(45);
        }
        System.out.println(j == null ? "DONE " + (g.get() + h.get()) : j);
        System.exit(j == null ? 0 : 1);
    }
}
