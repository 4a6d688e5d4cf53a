// Three slots; whoever watches waits on the same monitor until so and so many have been given back. A small count has its own guard. Names obfuscated.
// @lock C09$a
// @type SEMAPHORE+CONDITION permits=3
// @role acquire C09$a.a
// @role release C09$a.b
// @role wait C09$a.c
// @role notify C09$a.b
// @lock [J#b
// @type MUTEX
// @role enter C09$b.a
// @role enter C09$b.b
// @quiet
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class C09 {
    static class a {
        private final boolean[] a = new boolean[3];
        private long b;

        int a() throws InterruptedException {
            synchronized (this) {
                int c;
                while ((c = d()) < 0) wait();
                a[c] = true;
                return c;
            }
        }

        private int d() {
            for (int c = 0; c < a.length; c++)
                if (!a[c]) return c;
            return -1;
        }

        void b(int c) {
            synchronized (this) {
                a[c] = false;
                b++;
                notifyAll();
            }
        }

        long c(int c) throws InterruptedException {
            synchronized (this) {
                long d = b + c;
                while (b < d) wait();
                return b;
            }
        }
    }

    static class b {
        private final long[] a = new long[2];

        void a(int c) {
            synchronized (a) {
                a[0] += c;
                a[1] -= c;
            }
        }

        long b() {
            synchronized (a) { return a[0] + a[1]; }
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
        a a = new a();
        b b = new b();
        AtomicLong[] c = { new AtomicLong(), new AtomicLong(), new AtomicLong() };
        for (int i = 0; i < 5; i++)
            m2("h" + i, () -> {
                int d = a.a();
                m0(c[d].incrementAndGet() == 1, "h");
                m1(2, 6);
                b.a(d + 1);
                c[d].decrementAndGet();
                a.b(d);
                m1(0, 3);
            });
        for (int i = 0; i < 2; i++) {
            int d = 3 + i * 4;
            long[] e = { 0 };
            m2("i" + i, () -> {
                long f = a.c(d);
                m0(f >= e[0] + d, "i");
                e[0] = f;
                m0(b.b() == 0, "j");
                m1(1, 4);
            });
        }
        m3(y);
    }
}
