// One hands references to the other through a single place; each lot is then worked off by a thread whose end is awaited. Names obfuscated.
// @lock C07$a
// @type PRODUCER-CONSUMER capacity=1
// @role put C07$a.a
// @role take C07$a.b
// @lock C07$d
// @type JOIN
// @role join C07$d.c
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class C07 {
    static class a<b> {
        private final Object[] a = new Object[1];
        private boolean c;

        synchronized void a(b d) throws InterruptedException {
            while (c) wait();
            a[0] = d;
            c = true;
            notifyAll();
        }

        @SuppressWarnings("unchecked")
        synchronized b b() throws InterruptedException {
            while (!c) wait();
            c = false;
            notifyAll();
            return (b) a[0];
        }
    }

    static class d extends Thread {
        private final int[] a;
        int b;

        d(int[] e) {
            a = e;
            setDaemon(true);
        }

        public void run() {
            try {
                m1(1, 5);
            } catch (InterruptedException e) {
                return;
            }
            for (int e : a) b += e;
        }

        boolean c(long e) throws InterruptedException {
            long f = System.nanoTime() + e * 1_000_000;
            synchronized (this) {
                while (isAlive()) {
                    long g = (f - System.nanoTime()) / 1_000_000;
                    if (g <= 0) return false;
                    wait(g);
                }
            }
            return true;
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
        a<int[]> a = new a<>();
        AtomicLong b = new AtomicLong(), c = new AtomicLong();
        m2("1", () -> {
            int[] e = { 1, 2, ThreadLocalRandom.current().nextInt(50) };
            b.addAndGet(3 + e[2]);
            a.a(e);
            m1(0, 3);
        });
        for (int i = 2; i < 4; i++)
            m2("" + i, () -> {
                d[] e = { new d(a.b()), new d(a.b()) };
                for (d f : e) f.start();
                for (d f : e) {
                    while (!f.c(3)) Thread.yield();
                    c.addAndGet(f.b);
                }
                m0(c.get() <= b.get(), "s");
                m1(0, 2);
            });
        m3(y);
    }
}
