// Numbers are drawn at a desk and called in order; the state lies in the desk, the code elsewhere. A tally has a monitor of its own. Names obfuscated.
// @lock C06$a
// @type LOCK reentrant=false
// @role lock C06$b.a
// @role unlock C06$b.b
// @lock C06$c
// @type MUTEX
// @role enter C06$c.a
// @role enter C06$c.b
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class C06 {
    static class a {
        int a, b;
    }

    static class b {
        private final a a;

        b(a c) { a = c; }

        void a() throws InterruptedException {
            synchronized (a) {
                int c = a.a++;
                while (c != a.b) a.wait();
            }
        }

        void b() {
            synchronized (a) {
                a.b++;
                a.notifyAll();
            }
        }
    }

    static class c {
        private final LinkedHashMap<String, Integer> a = new LinkedHashMap<>();
        private int b;

        void a(String d) throws InterruptedException {
            synchronized (this) {
                a.merge(d, 1, Integer::sum);
                Thread.sleep(2);
                b++;
            }
        }

        boolean b() throws InterruptedException {
            synchronized (this) {
                int d = 0;
                for (int e : a.values()) d += e;
                Thread.sleep(1);
                return d == b;
            }
        }
    }

    static final AtomicLong f0 = new AtomicLong();
    static volatile String f1;

    interface I0 { void run() throws Exception; }

    static void m0(boolean p0, String p1) { if (!p0) f1 = p1; }

    static void m1(int p0, int p1) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(p0, p1 + 1));
    }

    static void m2(String p0, I0 p1) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    p1.run();
                    f0.incrementAndGet();
                }
            } catch (Exception | Error e) {
                e.printStackTrace();
                f1 = p0 + ": " + e;
            }
        }, p0);
        t.setDaemon(true);
        t.start();
    }

    static void m3(String[] args) throws InterruptedException {
        long v0 = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        long v1 = -1;
        int v2 = 0;
        while (f1 == null && System.nanoTime() < v0) {
            Thread.sleep(100);
            long v3 = f0.get();
            v2 = v3 == v1 ? v2 + 1 : 0;
            v1 = v3;
            m0(v2 < 200, "x");
        }
        System.out.println(f1 == null ? "DONE " + f0.get() : "FAILED " + f1);
        System.out.flush();
        System.exit(f1 == null ? 0 : 1);
    }
    public static void main(String[] y) throws Exception {
        c d = new c();
        for (int h = 0; h < 2; h++) {
            a e = new a();
            AtomicLong f = new AtomicLong();
            for (int i = 0; i < 3; i++) {
                String g = h + "" + i;
                m2(g, () -> {
                    b k = new b(e);
                    k.a();
                    try {
                        m0(f.incrementAndGet() == 1, "1");
                        m1(1, 4);
                        f.decrementAndGet();
                    } finally {
                        k.b();
                    }
                    d.a(g);
                    m1(0, 2);
                });
            }
        }
        m2("x", () -> {
            m0(d.b(), "2");
            m1(5, 9);
        });
        m3(y);
    }
}
