// A bounded queue with a monitor for each end, and a register behind a static synchronized pair; obfuscated.
// @lock Corvid$a
// @type PRODUCER-CONSUMER capacity=8
// @role put Corvid$a.a
// @role take Corvid$a.b
// @lock java.lang.Class#c
// @type MUTEX
// @role enter Corvid$f.c
// @role enter Corvid$f.d
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Corvid {
    static volatile String zx;
    static final AtomicLong zy = new AtomicLong();

    /** A count that can be waited on: one for what is free, one for what is there. */
    static final class b {
        private int a;

        b(int a) {
            this.a = a;
        }
    }

    static final class a {
        private final b c = new b(8);
        private final b d = new b(0);
        private final int[] e = new int[8];
        private int f;
        private int g;

        void a(int h) throws InterruptedException {
            synchronized (c) {
                while (c.a <= 0) {
                    c.wait();
                }
                c.a--;
            }
            synchronized (this) {
                e[f++ & 7] = h;
            }
            synchronized (d) {
                d.a++;
                d.notify();
            }
        }

        int b() throws InterruptedException {
            synchronized (d) {
                while (d.a <= 0) {
                    d.wait();
                }
                d.a--;
            }
            int h;
            synchronized (this) {
                h = e[g++ & 7];
            }
            synchronized (c) {
                c.a++;
                c.notify();
            }
            return h;
        }
    }

    static final class f {
        private static final Map<Integer, Integer> a = new HashMap<>();
        private static int b;

        private f() {
        }

        static synchronized void c(int g) throws InterruptedException {
            a.merge(g, 1, Integer::sum);
            Thread.sleep(1);
            b++;
        }

        static synchronized void d() throws InterruptedException {
            int g = 0;
            for (int h : a.values()) {
                g += h;
            }
            Thread.sleep(2);
            if (g != b) {
                zx = "register torn";
            }
        }
    }

    static final a g = new a();
    static final AtomicLong h = new AtomicLong();
    static final AtomicLong i = new AtomicLong();

    static void j() throws InterruptedException {
        int k = ThreadLocalRandom.current().nextInt(1, 50);
        h.addAndGet(k);
        g.a(k);
        zn(1, 4);
    }

    static void k() throws InterruptedException {
        int m = g.b();
        if (i.addAndGet(m) > h.get()) {
            zx = "more out than in";
        }
        f.c(m);
        zy.incrementAndGet();
        if (m > 44) {
            zn(10, 30);
        }
    }

    static void l() throws InterruptedException {
        f.d();
        zn(3, 8);
    }

    public static void main(String[] q) throws InterruptedException {
        zz(2, Corvid::j);
        zz(3, Corvid::k);
        zz(1, Corvid::l);
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
