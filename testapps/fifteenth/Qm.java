// A lock and condition variables that belong to it, each with a monitor of its own: who waits gives the lock back meanwhile and takes it again afterwards. (o)
// Drafters revise a plan under the lock, viewers wait under it for a revision that they have not seen.
//
// @lock Qm$a
// @type LOCK reentrant=false
// @role lock Qm$a.a
// @role lock Qm$a.b
// @role unlock Qm$a.c
//
// @lock Qm$b
// @type CONDITION
// @role wait Qm$b.a
// @role wait Qm$b.b
// @role notify Qm$b.c
// @role notify Qm$b.d
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Qm {

    static final class a {
        private Thread a;

        synchronized void a() {
            boolean b = false;
            while (a != null) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    b = true;
                }
            }
            a = Thread.currentThread();
            if (b) a.interrupt();
        }

        synchronized boolean b(long b) throws InterruptedException {
            long c = System.currentTimeMillis() + b;
            while (a != null) {
                long d = c - System.currentTimeMillis();
                if (d <= 0) return false;
                wait(d);
            }
            a = Thread.currentThread();
            return true;
        }

        synchronized void c() {
            if (a != Thread.currentThread()) throw new IllegalStateException();
            a = null;
            notify();
        }
    }

    static final class b {
        private final a a;

        b(a a) { this.a = a; }

        void a() throws InterruptedException {
            try {
                synchronized (this) {
                    a.c();
                    wait();
                }
            } finally {
                a.a();
            }
        }

        boolean b(long b) throws InterruptedException {
            long c = System.nanoTime();
            try {
                synchronized (this) {
                    a.c();
                    wait(b);
                    return System.nanoTime() - c < b * 1000000L;
                }
            } finally {
                a.a();
            }
        }

        synchronized void c() { notify(); }

        synchronized void d() { notifyAll(); }
    }

    static final a p = new a();
    static final b q = new b(p);
    static int r, s;

    static void u() {
        for (int i = 0; i < 2; i++) {
            v(() -> {
                p.a();
                try {
                    r++;
                    w(1, 3);
                    s++;
                    q.d();
                } finally {
                    p.c();
                }
                y.incrementAndGet();
                w(4, 9);
            });
        }
        for (int i = 0; i < 3; i++) {
            int[] b = {0, i};
            v(() -> {
                p.a();
                try {
                    while (r <= b[0]) {
                        if (b[1] == 0) q.b(15);
                        else q.a();
                    }
                    x(r == s, "half a revision");
                    b[0] = r;
                } finally {
                    p.c();
                }
                y.incrementAndGet();
            });
        }
        v(() -> {
            if (p.b(5)) {
                try {
                    x(r == s, "half a revision");
                    w(1, 2);
                } finally {
                    p.c();
                }
            }
            w(4, 9);
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
