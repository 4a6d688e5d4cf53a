// A store of eight with a monitor for those who bring and one for those who fetch. Names obfuscated.
// @lock C11$a
// @type PRODUCER-CONSUMER capacity=8
// @role put C11$b.a
// @role take C11$b.b
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class C11 {
    static class a {
        private int a;

        a(int b) { a = b; }

        void a() throws InterruptedException {
            while (a == 0) wait();
            a--;
        }

        void b() {
            a++;
            notify();
        }
    }

    static class b {
        private final a a = new a(8), b = new a(0);
        private final int[] c = new int[8];
        private int d, e;

        void a(int f) throws InterruptedException {
            synchronized (a) {
                a.a();
                c[d++ & 7] = f;
            }
            synchronized (b) {
                b.b();
            }
        }

        int b() throws InterruptedException {
            int f;
            synchronized (b) {
                b.a();
                f = c[e++ & 7];
            }
            synchronized (a) {
                a.b();
            }
            return f;
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
        b a = new b();
        AtomicLong b = new AtomicLong(), c = new AtomicLong(), d = new AtomicLong();
        for (int i = 0; i < 2; i++)
            m2("b" + i, () -> {
                for (int j = ThreadLocalRandom.current().nextInt(14); j >= 0; j--) {
                    int f = ThreadLocalRandom.current().nextInt(1, 1000);
                    b.addAndGet(f);
                    d.incrementAndGet();
                    a.a(f);
                }
                m1(6, 30);
            });
        for (int i = 0; i < 3; i++)
            m2("f" + i, () -> {
                int f = a.b();
                m0(f > 0, "0");
                m0(c.addAndGet(f) <= b.get(), "1");
                m0(d.decrementAndGet() <= 8 + 2 + 3, "2");
                m1(2, 7);
            });
        m3(y);
    }
}
