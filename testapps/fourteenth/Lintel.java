// A ring of an array with two indices, and an endless chain of nodes; obfuscated.
// @lock Lintel$c
// @type PRODUCER-CONSUMER capacity=6
// @role put Lintel$c.a
// @role take Lintel$c.b
// @lock Lintel$d
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Lintel$d.a
// @role take Lintel$d.b
// @role take Lintel$d.c
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Lintel {
    static volatile String zx;
    static final AtomicLong zy = new AtomicLong();

    static final class c {
        private final long[] a = new long[6];
        private int b;
        private int c;
        private int d;

        synchronized void a(long e) throws InterruptedException {
            while (d == a.length) {
                wait();
            }
            a[b] = e;
            b = (b + 1) % a.length;
            d++;
            notifyAll();
        }

        synchronized long b() throws InterruptedException {
            while (d == 0) {
                wait();
            }
            long e = a[c];
            c = (c + 1) % a.length;
            d--;
            notifyAll();
            return e;
        }
    }

    static final class d {
        private static final class e {
            final long a;
            e b;

            e(long a) {
                this.a = a;
            }
        }

        private final Object f = new Object[0];
        private e g;
        private e h;

        void a(long i) {
            e j = new e(i);
            synchronized (this) {
                if (h == null) {
                    g = j;
                } else {
                    h.b = j;
                }
                h = j;
                notify();
            }
        }

        synchronized long b() throws InterruptedException {
            while (g == null) {
                wait();
            }
            return d();
        }

        synchronized long c(long i) throws InterruptedException {
            long j = System.currentTimeMillis() + i;
            while (g == null) {
                long k = j - System.currentTimeMillis();
                if (k <= 0) {
                    return -1;
                }
                wait(k);
            }
            return d();
        }

        private long d() {
            e i = g;
            g = i.b;
            if (g == null) {
                h = null;
            }
            if (f == null) {
                throw new IllegalStateException();
            }
            return i.a;
        }
    }

    static final c e = new c();
    static final d f = new d();
    static final AtomicLong g = new AtomicLong();
    static final AtomicLong h = new AtomicLong();
    static final AtomicLong i = new AtomicLong();
    static final AtomicLong j = new AtomicLong();

    static void k() throws InterruptedException {
        for (int o = 0; o < 4; o++) {
            long m = ThreadLocalRandom.current().nextLong(1, 1000);
            g.addAndGet(m);
            e.a(m);
        }
        zn(6, 18);
    }

    static void l() throws InterruptedException {
        h.addAndGet(e.b());
        if (h.get() > g.get()) {
            zx = "took what was never put";
        }
        zy.incrementAndGet();
        zn(1, 5);
    }

    static void m() throws InterruptedException {
        zn(5, 14);
        for (int n = ThreadLocalRandom.current().nextInt(1, 4); n > 0; n--) {
            i.incrementAndGet();
            f.a(n);
        }
    }

    static void n(boolean o) throws InterruptedException {
        long p = o ? f.b() : f.c(6);
        if (p > 0 && j.incrementAndGet() > i.get()) {
            zx = "too many taken";
        }
        zn(1, 3);
    }

    public static void main(String[] q) throws InterruptedException {
        zz(3, Lintel::k);
        zz(3, Lintel::l);
        zz(2, Lintel::m);
        zz(2, () -> n(true));
        zz(1, () -> n(false));
        zw(q);
    }

    interface z {
        void a() throws InterruptedException;
    }

    static void zz(int n, z s) {
        for (int i = 0; i < n; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        s.a();
                    }
                } catch (InterruptedException e) {
                    zx = "interrupted";
                } catch (RuntimeException e) {
                    zx = e.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
    }

    static void zn(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void zw(String[] q) throws InterruptedException {
        System.out.println("READY");
        long e = System.currentTimeMillis() + (q.length > 0 ? Integer.parseInt(q[0]) : 600) * 1000L;
        while (zx == null && System.currentTimeMillis() < e) {
            Thread.sleep(20);
        }
        if (zx != null) {
            System.out.println(zx);
            System.exit(1);
        }
        System.out.println("DONE " + zy.get());
    }
}
