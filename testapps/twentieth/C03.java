// Four workers in step; each step has a list of those who still owe a result, and two others wait for it to be empty. Names obfuscated.
// @lock C03$a
// @type BARRIER parties=4
// @role arrive C03$a.a
// @lock C03$b
// @type LATCH count=4
// @role count-down C03$b.a
// @role await C03$b.b
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class C03 {
    static class a {
        private final int a;
        private int b;
        private long c;
        volatile b d = new b(4);

        a(int a) { this.a = a; }

        synchronized long a() throws InterruptedException {
            long e = c;
            if (++b < a) {
                do wait(); while (e == c);
            } else {
                b = 0;
                c++;
                d = new b(a);
                notifyAll();
            }
            return e;
        }
    }

    static class b {
        private final Set<Integer> a = new HashSet<>();

        b(int c) { for (int i = 0; i < c; i++) a.add(i); }

        void a(int c) {
            synchronized (this) {
                if (a.remove(c) && a.isEmpty()) notifyAll();
            }
        }

        boolean b(long c) throws InterruptedException {
            synchronized (this) {
                long e = System.nanoTime() + c * 1_000_000;
                while (!a.isEmpty()) {
                    long f = (e - System.nanoTime()) / 1_000_000;
                    if (f <= 0) return false;
                    wait(f);
                }
                return true;
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
    static final AtomicLong z = new AtomicLong();

    public static void main(String[] y) throws Exception {
        a a = new a(4);
        for (int i = 0; i < 4; i++) {
            int j = i;
            long[] k = { 0 };
            m2("n" + i, () -> {
                m0(a.a() == k[0]++, "g");
                m1(1, 7);
                a.d.a(j);
                z.incrementAndGet();
                m1(1, 4);
            });
        }
        for (int i = 0; i < 2; i++)
            m2("o" + i, () -> {
                b b = a.d;
                if (b.b(9000)) m0(b.a.isEmpty(), "h");
                m1(1, 2);
            });
        m3(y);
    }
}
