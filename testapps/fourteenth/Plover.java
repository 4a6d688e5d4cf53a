// Retries that back off, a table behind a row of lock objects, and threads that mark their own end; obfuscated.
// @lock Plover$a
// @type DELAY
// @role delay Plover$a.b
// @lock Plover$b
// @type MUTEX
// @role enter Plover$c.a
// @role enter Plover$c.b
// @lock Plover$d
// @type JOIN
// @role join Plover$d.a
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Plover {
    static volatile String zx;
    static final AtomicLong zy = new AtomicLong();

    static final class a {
        private int a;

        boolean a() throws InterruptedException {
            if (ThreadLocalRandom.current().nextInt(4) == 0) {
                a = 0;
                return true;
            }
            a = Math.min(a + 1, 4);
            b(1L << a);
            return false;
        }

        private void b(long c) throws InterruptedException {
            long d = System.currentTimeMillis() + c;
            synchronized (this) {
                while (c > 0) {
                    wait(c);
                    c = d - System.currentTimeMillis();
                }
            }
        }
    }

    static final class b {
        int a;
        int b;
    }

    static final class c {
        private final b[] c = {new b(), new b(), new b()};

        void a(int d) throws InterruptedException {
            b e = c[d % c.length];
            synchronized (e) {
                e.a++;
                zn(1, 2);
                e.b++;
            }
        }

        boolean b() throws InterruptedException {
            boolean d = true;
            for (b e : c) {
                synchronized (e) {
                    zn(1, 2);
                    d &= e.a == e.b;
                }
            }
            return d;
        }
    }

    static final class d extends Thread {
        private boolean b;
        private int c;

        @Override
        public void run() {
            try {
                zn(3, 12);
                c = 9;
            } catch (InterruptedException e) {
                c = -1;
            }
            synchronized (this) {
                b = true;
                notifyAll();
            }
        }

        synchronized int a() throws InterruptedException {
            while (!b) {
                wait();
            }
            return c;
        }
    }

    static final c e = new c();

    static final class f implements z {
        private final a b = new a();

        @Override
        public void a() throws InterruptedException {
            while (!b.a()) {
                zy.incrementAndGet();
            }
            e.a(ThreadLocalRandom.current().nextInt(3));
        }
    }

    static void g() throws InterruptedException {
        e.a(ThreadLocalRandom.current().nextInt(3));
        zn(1, 3);
        if (!e.b()) {
            zx = "torn";
        }
        zy.incrementAndGet();
    }

    static void h() throws InterruptedException {
        d i = new d();
        i.setDaemon(true);
        i.start();
        if (i.a() != 9) {
            zx = "no result";
        }
        zn(1, 4);
    }

    public static void main(String[] q) throws InterruptedException {
        zz(1, new f());
        zz(1, new f());
        zz(4, Plover::g);
        zz(2, Plover::h);
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
