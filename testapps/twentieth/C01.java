// Codes drawn from one table by a class's own monitor; slots of a device, one bit each, under a guard with a time limit. Names obfuscated.
// @lock java.lang.Class#a
// @type MUTEX
// @role enter C01$a.a
// @role enter C01$a.b
// @lock C01$b
// @type SEMAPHORE permits=3
// @role acquire C01$b.a
// @role acquire C01$b.b
// @role release C01$b.a_
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class C01 {
    static final class a {
        private static final Map<Integer, Integer> a = new HashMap<>();
        private static int b;

        static synchronized int a(int c) throws InterruptedException {
            Integer d = a.get(c);
            if (d == null) {
                Thread.sleep(2);
                d = b++;
                a.put(c, d);
            }
            return d;
        }

        static synchronized boolean b() throws InterruptedException {
            boolean c = a.size() == b && new HashSet<>(a.values()).size() == b;
            if (a.size() > 400) {
                a.clear();
                b = 0;
                Thread.sleep(4);
            }
            return c;
        }
    }

    static final class b {
        private int a = 0b111;

        synchronized int a() throws InterruptedException {
            while (a == 0) wait();
            return c();
        }

        synchronized int b(long d) throws InterruptedException {
            long e = System.currentTimeMillis() + d;
            while (a == 0) {
                long f = e - System.currentTimeMillis();
                if (f <= 0) return -1;
                wait(f);
            }
            return c();
        }

        private int c() {
            int d = Integer.numberOfTrailingZeros(a);
            a &= a - 1;
            return d;
        }

        synchronized void a_(int d) {
            a |= 1 << d;
            notify();
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
    static final java.util.concurrent.atomic.AtomicIntegerArray x = new java.util.concurrent.atomic.AtomicIntegerArray(3);

    public static void main(String[] y) throws Exception {
        b b = new b();
        for (int i = 0; i < 6; i++) {
            boolean j = i % 3 == 0;
            m2("t" + i, () -> {
                a.a(ThreadLocalRandom.current().nextInt(500));
                int k = j ? b.b(40) : b.a();
                if (k < 0) return;
                m0(x.incrementAndGet(k) == 1, "1");
                m1(2, 7);
                a.a(ThreadLocalRandom.current().nextInt(500));
                x.decrementAndGet(k);
                b.a_(k);
                m1(1, 3);
            });
        }
        m2("t7", () -> {
            m0(a.b(), "2");
            m1(8, 15);
        });
        m3(y);
    }
}
