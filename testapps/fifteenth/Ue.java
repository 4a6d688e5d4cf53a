// A print shop: orders in a heap by urgency, printers that take the most urgent, a thread per proof whose end is awaited at a completion object,
// and a rarely changed price. (o)
//
// @lock Ue$b
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Ue$b.a
// @role take Ue$b.b
// @role take Ue$b.c
//
// @lock Ue$c
// @type JOIN
// @role join Ue$c.a
//
// @lock Ue$d
// @type MUTEX
// @role enter Ue$d.a
// @role enter Ue$d.b
// @quiet
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Ue {

    interface a {
        void a(int b);
        int b() throws InterruptedException;
    }

    static final class b implements a {
        private int[] a = new int[8];
        private int b;

        private int d() {
            int c = a[0];
            int d = a[--b];
            int e = 0;
            for (int f; (f = 2 * e + 1) < b; e = f) {
                if (f + 1 < b && a[f + 1] < a[f]) f++;
                if (a[f] >= d) break;
                a[e] = a[f];
            }
            a[e] = d;
            return c;
        }

        @Override public synchronized void a(int c) {
            if (b == a.length) a = Arrays.copyOf(a, 2 * b);
            int d = b++;
            while (d > 0 && a[(d - 1) / 2] > c) {
                a[d] = a[(d - 1) / 2];
                d = (d - 1) / 2;
            }
            a[d] = c;
            notify();
        }

        @Override public synchronized int b() throws InterruptedException {
            while (b == 0) wait();
            return d();
        }

        synchronized int c(long c) throws InterruptedException {
            long e = System.currentTimeMillis() + c;
            while (b == 0) {
                long f = e - System.currentTimeMillis();
                if (f <= 0) return -1;
                wait(f);
            }
            return d();
        }
    }

    static final class c implements Runnable {
        private boolean a;
        volatile int b;

        @Override public void run() {
            try {
                w(3, 8);
                b = 1;
            } catch (InterruptedException e) {
                z = "proof interrupted";
            }
            b();
        }

        private void b() {
            synchronized (this) {
                a = true;
                notifyAll();
            }
        }

        void a() throws InterruptedException {
            synchronized (this) {
                while (!a) wait();
            }
        }
    }

    static final class d {
        private int a = 3, b = 3;

        synchronized void a(int c) {
            a = c;
            b = c;
        }

        synchronized int b() {
            x(a == b, "price torn");
            return a;
        }
    }

    static final b p = new b();
    static final d q = new d();
    static final AtomicLong r = new AtomicLong(), s = new AtomicLong();

    static void t(int a) throws InterruptedException {
        x(a >= 0 && s.incrementAndGet() <= r.get(), "an order from nowhere");
        y.incrementAndGet();
        w(1, 4);
    }

    static void u() {
        for (int i = 0; i < 3; i++) {
            v(() -> {
                w(3, 12);
                r.incrementAndGet();
                p.a(ThreadLocalRandom.current().nextInt(1000));
            });
        }
        for (int i = 0; i < 2; i++) v(() -> t(p.b()));
        v(() -> {
            int a = p.c(9);
            if (a >= 0) t(a);
            x(q.b() > 0, "no price");
        });
        for (int i = 0; i < 2; i++) {
            v(() -> {
                c a = new c();
                Thread b = new Thread(a);
                b.setDaemon(true);
                b.start();
                a.a();
                x(a.b == 1, "no proof");
                y.incrementAndGet();
                w(3, 10);
            });
        }
        v(() -> {
            q.a(1 + ThreadLocalRandom.current().nextInt(9));
            w(300, 600);
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
