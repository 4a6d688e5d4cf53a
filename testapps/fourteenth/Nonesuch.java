// A read-write lock whose monitor guards statistics too, a lock on whose monitor others wait for a number, and a list nobody shares; obfuscated.
// @lock Nonesuch$a
// @type READ-WRITE+MUTEX preference=readers reentrant=false
// @role read-lock Nonesuch$a.a
// @role write-lock Nonesuch$a.b
// @role read-unlock Nonesuch$a.c
// @role write-unlock Nonesuch$a.d
// @role enter Nonesuch$a.e
// @role enter Nonesuch$a.f
// @lock Nonesuch$b
// @type LOCK+CONDITION reentrant=false
// @role lock Nonesuch$b.a
// @role unlock Nonesuch$b.b
// @role wait Nonesuch$b.c
// @role notify Nonesuch$b.b
// @lock Nonesuch$c
// @type NOT-SHARED
// @quiet
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Nonesuch {
    static volatile String zx;
    static final AtomicLong zy = new AtomicLong();

    static final class a {
        private int a;
        private boolean b;
        private long c;
        private long d;

        synchronized void a() throws InterruptedException {
            while (b) {
                wait();
            }
            a++;
        }

        synchronized void b() throws InterruptedException {
            while (b || a != 0) {
                wait();
            }
            b = true;
        }

        synchronized void c() {
            a--;
            if (a == 0) {
                notifyAll();
            }
        }

        synchronized void d() {
            b = false;
            notifyAll();
        }

        synchronized void e(int f) throws InterruptedException {
            c += f;
            Thread.sleep(1);
            d += f;
        }

        synchronized boolean f() throws InterruptedException {
            long e = c;
            Thread.sleep(1);
            return e == d;
        }
    }

    static final class b {
        private Thread a;
        private long b;

        synchronized void a() throws InterruptedException {
            while (a != null) {
                wait();
            }
            a = Thread.currentThread();
        }

        synchronized void b() {
            if (a != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            a = null;
            b++;
            notifyAll();
        }

        synchronized long c(long d) throws InterruptedException {
            while (b < d) {
                wait();
            }
            return b;
        }
    }

    static final class c {
        private final List<Integer> a = new ArrayList<>();

        synchronized void a(int b) {
            a.add(b);
            if (a.size() > 50) {
                a.clear();
            }
        }
    }

    static final a d = new a();
    static final b e = new b();
    static final AtomicInteger f = new AtomicInteger();
    static volatile int g;
    static volatile int h;

    static final class i implements z {
        private final c a = new c();

        @Override
        public void a() throws InterruptedException {
            d.a();
            int b = g;
            zn(1, 4);
            if (b != h) {
                zx = "torn";
            }
            d.c();
            a.a(b);
            zn(3, 9);
            zy.incrementAndGet();
        }
    }

    static final class j implements z {
        private long a;

        @Override
        public void a() throws InterruptedException {
            long b = e.c(a + 2);
            if (b < a + 2) {
                zx = "too early";
            }
            a = b;
            zy.incrementAndGet();
        }
    }

    static void k() throws InterruptedException {
        d.b();
        int m = g + 1;
        g = m;
        zn(1, 3);
        h = m;
        d.d();
        zn(4, 12);
    }

    static void l() throws InterruptedException {
        d.e(ThreadLocalRandom.current().nextInt(9));
        zn(4, 9);
        if (!d.f()) {
            zx = "statistics torn";
        }
        zn(4, 9);
    }

    static void m() throws InterruptedException {
        e.a();
        if (f.incrementAndGet() != 1) {
            zx = "two owners";
        }
        zn(1, 3);
        f.decrementAndGet();
        e.b();
        zn(1, 5);
    }

    public static void main(String[] q) throws InterruptedException {
        for (int n = 0; n < 3; n++) {
            zz(1, new i());
        }
        zz(2, Nonesuch::k);
        zz(2, Nonesuch::l);
        zz(3, Nonesuch::m);
        zz(1, new j());
        zz(1, new j());
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
