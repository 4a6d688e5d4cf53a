// Shifts open with a gate that is new each time; behind it a machine for one at a time. Names obfuscated.
// @lock C05$a
// @type LATCH count=1
// @role await C05$a.a
// @role count-down C05$a.b
// @lock C05$b
// @type LOCK reentrant=false
// @role lock C05$b.a
// @role unlock C05$b.b
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class C05 {
    static volatile a a = new a();

    static class a {
        private boolean a;

        synchronized void a() throws InterruptedException {
            while (!a) wait();
        }

        synchronized void b() {
            a = true;
            notifyAll();
        }
    }

    static class b {
        private Thread a;
        private int b;

        synchronized void a() throws InterruptedException {
            b++;
            try {
                while (a != null) wait();
                a = Thread.currentThread();
            } finally {
                b--;
            }
        }

        synchronized void b() {
            if (a != Thread.currentThread()) throw new IllegalMonitorStateException();
            a = null;
            if (b > 0) notify();
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
        b b = new b();
        int[] c = new int[1];
        AtomicLong d = new AtomicLong();
        for (int i = 0; i < 4; i++)
            m2("u" + i, () -> {
                a.a();
                for (int j = 0; j < 2; j++) {
                    b.a();
                    int e = ++c[0];
                    m1(1, 2);
                    m0(e == c[0], "u");
                    b.b();
                    d.incrementAndGet();
                }
                m1(0, 2);
            });
        m2("v", () -> {
            m1(6, 14);
            a e = a;
            a = new a();
            e.b();
        });
        m3(y);
    }
}
