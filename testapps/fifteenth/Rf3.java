// A tide table under a read-write lock that admits strictly in the order of tickets drawn, and a journal behind a plain monitor. (o)
//
// @lock Rf3$a
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Rf3$a.a
// @role read-unlock Rf3$a.b
// @role write-lock Rf3$a.c
// @role write-unlock Rf3$a.d
//
// @lock Rf3$b
// @type MUTEX
// @role enter Rf3$b.a
// @role enter Rf3$b.b
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Rf3 {

    static final class a {
        private long a, b;
        private int c;
        private boolean d;

        private void e(boolean e) {
            long f = a++;
            boolean g = false;
            while (f != b || d || e && c > 0) {
                try {
                    wait();
                } catch (InterruptedException h) {
                    g = true;
                }
            }
            b++;
            if (g) Thread.currentThread().interrupt();
        }

        synchronized void a() {
            e(false);
            c++;
            notifyAll();
        }

        synchronized void b() {
            if (--c == 0) notifyAll();
        }

        synchronized void c() {
            e(true);
            d = true;
        }

        synchronized void d() {
            d = false;
            notifyAll();
        }
    }

    static final class b {
        private final StringBuilder a = new StringBuilder();
        private int b;

        synchronized void a(int c) throws InterruptedException {
            a.append((char) ('a' + c));
            b++;
            Thread.sleep(1);
        }

        synchronized void b() throws InterruptedException {
            x(a.length() == b, "journal torn");
            Thread.sleep(2);
            a.setLength(0);
            b = 0;
        }
    }

    static final a p = new a();
    static final b q = new b();
    static volatile int r, s;

    static void u() {
        for (int i = 0; i < 4; i++) {
            int a = i;
            v(() -> {
                p.a();
                try {
                    int b = r;
                    w(2, 5);
                    x(b == s, "half a table");
                } finally {
                    p.b();
                }
                q.a(a);
                y.incrementAndGet();
                w(1, 4);
            });
        }
        for (int i = 0; i < 2; i++) {
            v(() -> {
                p.c();
                try {
                    int b = r + 1;
                    r = b;
                    w(1, 3);
                    s = b;
                } finally {
                    p.d();
                }
                y.incrementAndGet();
                w(5, 12);
            });
        }
        v(() -> {
            q.b();
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
