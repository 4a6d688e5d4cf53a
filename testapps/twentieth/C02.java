// Rounds of three short threads: the round goes on when each has given in its part, and is over when all are dead. Names obfuscated.
// @lock C02$c
// @type LATCH count=3
// @role count-down C02$c.b
// @role await C02$c.c
// @lock java.lang.Thread#d
// @type JOIN
// @role join C02.d
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class C02 {
    static class c {
        private int a;
        private final long[] b = new long[3];

        c(int a) { this.a = (1 << a) - 1; }

        void b(int d, long e) {
            synchronized (this) {
                b[d] = e;
                a &= ~(1 << d);
                if (a == 0) notifyAll();
            }
        }

        synchronized long c() throws InterruptedException {
            while (a != 0) wait();
            return e();
        }

        private long e() { return b[0] + b[1] + b[2]; }
    }

    static void d(Thread a) throws InterruptedException {
        synchronized (a) {
            while (a.isAlive()) a.wait();
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
    public static void main(String[] a) throws Exception {
        for (int g = 0; g < 2; g++)
            m2("w" + g, () -> {
                c b = new c(3);
                Thread[] e = new Thread[3];
                for (int i = 0; i < 3; i++) {
                    int j = i;
                    e[i] = new Thread(() -> {
                        try {
                            m1(1, 6);
                            b.b(j, 10L * j + 1);
                            m1(1, 6);
                        } catch (InterruptedException f) {
                            Thread.currentThread().interrupt();
                        }
                    });
                    e[i].setDaemon(true);
                    e[i].start();
                }
                m0(b.c() == 33, "s");
                for (Thread f : e) d(f);
                for (Thread f : e) m0(f.getState() == Thread.State.TERMINATED, "t");
                m1(1, 3);
            });
        m3(a);
    }
}
