// A sending quota: tokens are poured in by a timer up to a burst and never given back by those who spend them. The timer ticks by a timed wait. (o)
//
// @lock Lx$b
// @type SEMAPHORE form=rate-limiter
// @role acquire Lx$a.a
// @role acquire Lx$a.b
// @role release Lx$a.c
//
// @lock Lx$c
// @type DELAY
// @role delay Lx$c.a
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Lx {

    abstract static class a {
        abstract boolean d(int a);
        abstract void e(int a);

        synchronized void a(int a) throws InterruptedException {
            while (!d(a)) wait();
            e(-a);
        }

        synchronized boolean b(int a, long b) throws InterruptedException {
            long c = System.currentTimeMillis();
            long f = b;
            while (!d(a)) {
                if (f <= 0) return false;
                wait(f);
                f = b - (System.currentTimeMillis() - c);
            }
            e(-a);
            return true;
        }

        synchronized void c(int a) {
            e(a);
            notifyAll();
        }
    }

    static final class b extends a {
        private int a = 5;
        private final int b = 10;

        @Override boolean d(int c) { return a >= c; }

        @Override void e(int c) {
            a = Math.min(b, a + c);
            x(a >= 0, "overdrawn");
        }
    }

    static final class c {
        private final long a;

        c(long a) { this.a = a; }

        synchronized void a() throws InterruptedException {
            long b = System.nanoTime() + a * 1000000L;
            long c;
            while ((c = b - System.nanoTime()) > 0) wait(c / 1000000L, (int) (c % 1000000L));
        }
    }

    static final b p = new b();
    static final AtomicLong q = new AtomicLong(), r = new AtomicLong(5);

    static void s(int a) {
        x(q.addAndGet(a) <= r.get(), "more spent than poured in");
        y.incrementAndGet();
    }

    static void u() {
        c a = new c(9), b = new c(5);
        v(() -> {
            a.a();
            r.addAndGet(2);
            p.c(2);
        });
        v(() -> {
            p.a(1);
            s(1);
            b.a();
        });
        for (int i = 0; i < 3; i++) {
            v(() -> {
                p.a(1);
                s(1);
                w(1, 5);
            });
        }
        v(() -> {
            if (p.b(1, 12)) s(1);
            w(3, 9);
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
