// A re-entrant lock handed straight to whoever has waited longest, each waiting on a node of his own (composite), and a signal that is set and reset. (o)
// Clerks edit a register under the lock as long as the signal is set.
//
// @lock Hn$b
// @type LOCK reentrant=true
// @role lock Hn$b.a
// @role lock Hn$b.b
// @role unlock Hn$b.c
//
// @lock Hn$d
// @type CONDITION form=resettable-event
// @role wait Hn$d.a
// @role notify Hn$d.b
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Hn {

    static final class a {
        final Thread a = Thread.currentThread();
        private boolean b;

        synchronized void a() throws InterruptedException {
            while (!b) wait();
        }

        synchronized void a(long c) throws InterruptedException {
            long d = System.currentTimeMillis() + c;
            while (!b) {
                long e = d - System.currentTimeMillis();
                if (e <= 0) return;
                wait(e);
            }
        }

        synchronized void b() {
            b = true;
            notify();
        }
    }

    static final class b {
        private final ArrayDeque<a> a = new ArrayDeque<>();
        private Thread b;
        private int c;

        private boolean d() {
            Thread d = Thread.currentThread();
            if (b == d) {
                c++;
                return true;
            }
            if (b == null) {
                b = d;
                c = 1;
                return true;
            }
            return false;
        }

        void a() throws InterruptedException {
            a e;
            synchronized (this) {
                if (d()) return;
                a.add(e = new a());
            }
            e.a();
        }

        boolean b(long f) throws InterruptedException {
            a e;
            synchronized (this) {
                if (d()) return true;
                a.add(e = new a());
            }
            e.a(f);
            synchronized (this) {
                return !a.remove(e);
            }
        }

        void c() {
            a e;
            synchronized (this) {
                if (b != Thread.currentThread()) throw new IllegalMonitorStateException();
                if (--c > 0) return;
                e = a.poll();
                if (e == null) {
                    b = null;
                    return;
                }
                b = e.a;
                c = 1;
            }
            e.b();
        }
    }

    static final class d {
        private final Object a = this;
        private boolean b;

        void a() throws InterruptedException {
            synchronized (a) {
                while (!b) a.wait();
            }
        }

        void b() {
            synchronized (a) {
                b = true;
                a.notifyAll();
            }
        }

        void c() {
            synchronized (a) {
                b = false;
            }
        }
    }

    static final b p = new b();
    static final d q = new d();
    static int r, s;

    static void f(int a) throws InterruptedException {
        r++;
        w(1, 2);
        if (a > 0) {
            p.a();
            try {
                f(a - 1);
            } finally {
                p.c();
            }
        }
        s++;
        y.incrementAndGet();
    }

    static void u() {
        for (int i = 0; i < 4; i++) {
            int a = i;
            v(() -> {
                q.a();
                if (a == 3) {
                    if (!p.b(7)) return;
                } else {
                    p.a();
                }
                try {
                    x(r == s, "two clerks at once");
                    f(a % 2);
                } finally {
                    p.c();
                }
                w(1, 3);
            });
        }
        v(() -> {
            q.b();
            w(6, 10);
            q.c();
            w(8, 14);
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
