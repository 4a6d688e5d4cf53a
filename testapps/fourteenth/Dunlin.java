// Two read-write locks by two hands, obfuscated: one number with the writers that wait beside it, and an enum with a set of readers.
// @lock Dunlin$a
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Dunlin$a.a
// @role write-lock Dunlin$a.b
// @role read-unlock Dunlin$a.c
// @role write-unlock Dunlin$a.c
// @lock java.lang.Object#g
// @type READ-WRITE preference=readers
// @role read-lock Dunlin$b.e
// @role read-unlock Dunlin$b.f
// @role write-lock Dunlin$b.g
// @role write-unlock Dunlin$b.h
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Dunlin {
    static volatile String zx;
    static final AtomicLong zy = new AtomicLong();

    static final class a {
        private int a;
        private int b;

        synchronized void a() throws InterruptedException {
            while (a < 0 || b > 0) {
                wait();
            }
            a++;
        }

        synchronized void b() throws InterruptedException {
            b++;
            try {
                while (a != 0) {
                    wait();
                }
                a = -1;
            } finally {
                b--;
            }
        }

        synchronized void c() {
            a = a < 0 ? 0 : a - 1;
            if (a == 0) {
                notifyAll();
            }
        }
    }

    enum c { a, b, c }

    static final class b {
        private final Object a = new Object();
        private final Set<Thread> b = new HashSet<>();
        private c d = c.a;

        void e() throws InterruptedException {
            synchronized (a) {
                while (d == c.c) {
                    a.wait();
                }
                b.add(Thread.currentThread());
                d = c.b;
            }
        }

        void f() {
            synchronized (a) {
                if (!b.remove(Thread.currentThread())) {
                    throw new IllegalMonitorStateException();
                }
                if (b.isEmpty()) {
                    d = c.a;
                    a.notifyAll();
                }
            }
        }

        void g() throws InterruptedException {
            synchronized (a) {
                while (d != c.a) {
                    a.wait();
                }
                d = c.c;
            }
        }

        void h() {
            synchronized (a) {
                d = c.a;
                a.notifyAll();
            }
        }
    }

    static final a d = new a();
    static final b e = new b();
    static volatile int f;
    static volatile int g;
    static volatile int h;
    static volatile int i;

    static void j() throws InterruptedException {
        d.a();
        int l = f;
        zn(1, 4);
        if (l != f || f != g) {
            zx = "read a torn pair";
        }
        d.c();
        zy.incrementAndGet();
        zn(2, 6);
    }

    static void k() throws InterruptedException {
        d.b();
        int l = f + 1;
        f = l;
        zn(1, 3);
        g = l;
        d.c();
        zn(4, 12);
    }

    static void l() throws InterruptedException {
        e.e();
        int m = h;
        zn(1, 4);
        if (m != i) {
            zx = "read a torn pair";
        }
        e.f();
        zy.incrementAndGet();
        zn(5, 15);
    }

    static void m() throws InterruptedException {
        e.g();
        int n = h + 1;
        h = n;
        zn(2, 4);
        i = n;
        e.h();
        zn(3, 10);
    }

    public static void main(String[] q) throws InterruptedException {
        zz(4, Dunlin::j);
        zz(2, Dunlin::k);
        zz(4, Dunlin::l);
        zz(2, Dunlin::m);
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
