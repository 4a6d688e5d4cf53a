// @lock Qx$b
// @type LOCK reentrant=false
// @role lock Qx$b.c
// @role unlock Qx$b.d

// @lock Qx$e
// @type SEMAPHORE permits=2
// @role acquire Qx$e.f
// @role release Qx$e.g

// @lock Qx$h
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Qx$h.i
// @role read-unlock Qx$h.j
// @role write-lock Qx$h.k
// @role write-unlock Qx$h.l

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Numbers drawn and called; places handed straight to who waits longest, each on a monitor of his own; a word of bits. Shrunk. */
public class Qx {
    static class b {
        int a;
        int b;

        void c() throws InterruptedException {
            synchronized (this) {
                int d = a++;
                while (d != b) {
                    wait();
                }
            }
        }

        void d() {
            synchronized (this) {
                b++;
                notifyAll();
            }
        }
    }

    static class e {
        static class a {
            boolean a;
        }

        final LinkedList<a> a = new LinkedList<>();
        int b = 2;

        void f() throws InterruptedException {
            a c;
            synchronized (this) {
                if (b > 0) {
                    b--;
                    return;
                }
                c = new a();
                a.addLast(c);
            }
            synchronized (c) {
                while (!c.a) {
                    c.wait();
                }
            }
        }

        void g() {
            a c;
            synchronized (this) {
                if (a.isEmpty()) {
                    b++;
                    return;
                }
                c = a.removeFirst();
            }
            synchronized (c) {
                c.a = true;
                c.notify();
            }
        }
    }

    static class h {
        int a;

        synchronized void i() throws InterruptedException {
            while ((a & 0x80000000) != 0) {
                wait();
            }
            a++;
        }

        synchronized void j() {
            a--;
            if ((a & 0x7fffffff) == 0) {
                notifyAll();
            }
        }

        synchronized void k() throws InterruptedException {
            while (a != 0) {
                wait();
            }
            a |= 0x80000000;
        }

        synchronized void l() {
            a &= 0x7fffffff;
            notifyAll();
        }
    }

    static volatile String m;
    static final AtomicInteger n = new AtomicInteger();
    static final AtomicInteger o = new AtomicInteger();
    static final AtomicInteger p = new AtomicInteger();
    static final AtomicInteger q = new AtomicInteger();

    static void s(int a) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(a));
    }

    interface r {
        void a() throws InterruptedException;
    }

    static void t(int a, r b) {
        while (a-- > 0) {
            Thread c = new Thread(() -> {
                try {
                    while (m == null) {
                        b.a();
                    }
                } catch (InterruptedException d) {
                    m = "i";
                }
            });
            c.setDaemon(true);
            c.start();
        }
    }

    public static void main(String[] u) throws Exception {
        b v = new b();
        e w = new e();
        h x = new h();
        t(4, () -> {
            v.c();
            if (n.incrementAndGet() != 1) {
                m = "1";
            }
            s(4);
            n.decrementAndGet();
            v.d();
            q.incrementAndGet();
            s(6);
        });
        t(5, () -> {
            w.f();
            if (o.incrementAndGet() > 2) {
                m = "2";
            }
            s(5);
            o.decrementAndGet();
            w.g();
            s(4);
        });
        t(4, () -> {
            x.i();
            if (p.get() != 0) {
                m = "3";
            }
            s(4);
            x.j();
            s(12);
        });
        t(2, () -> {
            x.k();
            if (p.incrementAndGet() != 1) {
                m = "4";
            }
            s(3);
            p.decrementAndGet();
            x.l();
            s(9);
        });
        System.out.println("READY");
        Thread.sleep(1000L * (u.length > 0 ? Integer.parseInt(u[0]) : 600));
        if (m != null) {
            System.out.println(m);
            System.exit(1);
        }
        System.out.println("DONE " + q);
    }
}
