// Eight berths as bits of a mask, of which a ship takes one to three at once; and three tugs that take turns in a fixed order. (o)
//
// @lock java.lang.Object#c
// @type SEMAPHORE permits=8
// @role acquire Bm8$b.c
// @role acquire Bm8$b.d
// @role release Bm8$b.e
//
// @lock Bm8$c
// @type CONDITION
// @role wait Bm8$c.a
// @role notify Bm8$c.b
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicInteger;

public class Bm8 {

    abstract static class a {
        protected final Object b_;
        protected int a;

        a(Object b, int c) {
            b_ = b;
            a = c;
        }

        boolean f(int b) { return Integer.bitCount(a) >= b; }

        int g(int b) {
            int c = 0;
            while (b-- > 0) {
                int d = Integer.lowestOneBit(a);
                a ^= d;
                c |= d;
            }
            return c;
        }
    }

    static final class b extends a {
        b() { super(new Object(), 0xff); }

        int c(int b) throws InterruptedException {
            synchronized (b_) {
                while (!f(b)) b_.wait();
                return g(b);
            }
        }

        int d(int b, long c) throws InterruptedException {
            long d = System.currentTimeMillis() + c;
            synchronized (b_) {
                for (;;) {
                    if (f(b)) return g(b);
                    long e = d - System.currentTimeMillis();
                    if (e <= 0) return 0;
                    b_.wait(e);
                }
            }
        }

        void e(int b) {
            synchronized (b_) {
                a |= b;
                b_.notifyAll();
            }
        }
    }

    static final class c {
        private final boolean[] a;
        private int b;

        c(int d) {
            a = new boolean[d];
            a[0] = true;
        }

        synchronized void a(int d) throws InterruptedException {
            while (!a[d]) wait();
        }

        synchronized void b() {
            a[b] = false;
            b = (b + 1) % a.length;
            a[b] = true;
            notifyAll();
        }
    }

    static final b p = new b();
    static final c q = new c(3);
    static final AtomicInteger r = new AtomicInteger();
    static volatile int s;

    static void t(int a) throws InterruptedException {
        int b, c;
        do {
            b = r.get();
            c = b | a;
            x((b & a) == 0, "berth given twice");
        } while (!r.compareAndSet(b, c));
        w(4, 11);
        do {
            b = r.get();
        } while (!r.compareAndSet(b, b & ~a));
        p.e(a);
        y.incrementAndGet();
    }

    static void u() {
        for (int i = 0; i < 6; i++) {
            v(() -> {
                t(p.c(1 + ThreadLocalRandom.current().nextInt(3)));
                w(1, 3);
            });
        }
        v(() -> {
            int a = p.d(2, 8);
            if (a != 0) t(a);
            w(2, 6);
        });
        for (int i = 0; i < 3; i++) {
            int a = i;
            v(() -> {
                q.a(a);
                x(s == a, "not this tug's turn");
                w(1, 4);
                s = (a + 1) % 3;
                q.b();
                y.incrementAndGet();
                w(0, 2);
            });
        }
    }

    static final AtomicLong y = new AtomicLong();
    static volatile String z;

    interface Z { void a() throws InterruptedException; }

    static void x(boolean a, String b) { if (!a) z = b; }

    static void w(int a, int b) throws InterruptedException { Thread.sleep(a + ThreadLocalRandom.current().nextInt(b - a + 1)); }

    static void v(Z a) {
        Thread t = new Thread(() -> {
            try {
                while (z == null) a.a();
            } catch (InterruptedException | RuntimeException e) {
                z = e.toString();
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long a = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        u();
        System.out.println("READY");
        while (z == null && System.currentTimeMillis() < a) Thread.sleep(50);
        System.out.println(z == null ? "DONE " + y.get() : z);
        System.exit(z == null ? 0 : 1);
    }
}
