// Three dancers in step on a barrier that counts a bit for each of them, and a static table of figures that all of them and a prompter look up. (o)
//
// @lock Zg$a
// @type BARRIER parties=3
// @role arrive Zg$a.a
//
// @lock java.lang.Class#b
// @type MUTEX
// @role enter Zg$b.a
// @role enter Zg$b.b
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Zg {

    static final class a {
        private final int a;
        private int b;
        private long c;

        a(int d) { a = (1 << d) - 1; }

        long a(int d) throws InterruptedException {
            synchronized (this) {
                long e = c;
                b |= 1 << d;
                if (b == a) {
                    b = 0;
                    c++;
                    notifyAll();
                } else {
                    while (c == e) wait();
                }
                return e;
            }
        }
    }

    static final class b {
        private static final Map<Integer, Integer> a = new HashMap<>();
        private static int b;

        private b() { }

        static synchronized int a(int c) throws InterruptedException {
            Integer d = a.get(c);
            if (d == null) {
                Thread.sleep(2);
                a.put(c, d = c * 7);
                b++;
            }
            return d;
        }

        static synchronized void b() throws InterruptedException {
            x(b == a.size(), "table torn");
            Thread.sleep(1);
            a.clear();
            b = 0;
        }
    }

    static final a p = new a(3);
    static final long[] q = new long[3];

    static void u() {
        for (int i = 0; i < 3; i++) {
            int c = i;
            v(() -> {
                w(1, 5);
                q[c]++;
                long d = p.a(c);
                x(q[c] == d + 1, "out of step");
                int e = ThreadLocalRandom.current().nextInt(12);
                x(b.a(e) == e * 7, "wrong figure");
                y.incrementAndGet();
            });
        }
        v(() -> {
            b.b();
            w(4, 9);
        });
        v(() -> {
            x(b.a(13) == 91, "wrong figure");
            w(1, 4);
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
