// Four instruments in a pool; a calibrator waits at the same monitor until ten more were given back, and a desk keeps the day-book. (o)
//
// @lock Vt$b
// @type SEMAPHORE+CONDITION permits=4 form=object-pool
// @role acquire Vt$b.a
// @role acquire Vt$b.b
// @role release Vt$b.c
// @role wait Vt$b.d
// @role notify Vt$b.c
//
// @lock java.lang.Object#e
// @type MUTEX
// @role enter Vt$d.e
// @role enter Vt$d.f
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicBoolean;

public class Vt {

    static final class a {
        final AtomicBoolean a = new AtomicBoolean();
        volatile int b;
    }

    static class b {
        private final ArrayDeque<a> a = new ArrayDeque<>();
        private long b;

        b(int a) {
            for (int i = 0; i < a; i++) this.a.push(new a());
        }

        synchronized a a() throws InterruptedException {
            while (a.isEmpty()) wait();
            return a.pop();
        }

        synchronized a b(long b) throws InterruptedException {
            long c = System.currentTimeMillis() + b;
            while (a.isEmpty()) {
                long d = c - System.currentTimeMillis();
                if (d <= 0) return null;
                wait(d);
            }
            return a.pop();
        }

        synchronized void c(a c) {
            a.push(c);
            b++;
            notifyAll();
        }

        synchronized long d(long a) throws InterruptedException {
            while (b < a) wait();
            return b;
        }
    }

    static final class d {
        private final Object a = new Object();
        private int b, c;

        void e() throws InterruptedException {
            synchronized (a) {
                b++;
                Thread.sleep(1);
                c++;
            }
        }

        int f() throws InterruptedException {
            synchronized (a) {
                x(b == c, "day-book torn");
                Thread.sleep(1);
                return b;
            }
        }
    }

    static final b p = new b(4);
    static final d q = new d();

    static void r(a a) throws InterruptedException {
        x(a.a.compareAndSet(false, true), "instrument used twice");
        a.b++;
        w(3, 9);
        a.a.set(false);
        p.c(a);
        q.e();
        y.incrementAndGet();
    }

    static void u() {
        for (int i = 0; i < 6; i++) {
            v(() -> {
                r(p.a());
                w(0, 2);
            });
        }
        v(() -> {
            a a = p.b(6);
            if (a != null) r(a);
            w(2, 4);
        });
        long[] c = {0};
        v(() -> {
            long e = p.d(c[0] + 10);
            x(e >= c[0] + 10, "woken too early");
            c[0] = e;
        });
        v(() -> {
            x(q.f() >= 0, "negative");
            w(5, 9);
        });
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
