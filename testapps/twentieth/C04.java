// Two places, given out in order of arrival; who got one counts, and three others wait for the count to pass their mark. Names obfuscated.
// @lock C04$a
// @type SEMAPHORE permits=2
// @role acquire C04$a.a
// @role release C04$a.b
// @lock C04$b
// @type CONDITION
// @role wait C04$b.a
// @role notify C04$b.b
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class C04 {
    static class a {
        private long a, b;

        a(int c) { b = c; }

        void a() {
            boolean c = false;
            synchronized (this) {
                long d = a++;
                while (d >= b) {
                    try {
                        this.wait();
                    } catch (InterruptedException e) {
                        c = true;
                    }
                }
            }
            if (c) Thread.currentThread().interrupt();
        }

        void b() {
            synchronized (this) {
                b++;
                this.notifyAll();
            }
        }
    }

    static class b {
        private long a;
        private final PriorityQueue<Long> b = new PriorityQueue<>();

        synchronized long a(long c) throws InterruptedException {
            Long d = a + c;
            b.add(d);
            while (a < d) wait();
            b.remove(d);
            return a - d;
        }

        synchronized void b() {
            a++;
            Long c = b.peek();
            if (c != null && c <= a) notifyAll();
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
        a a = new a(2);
        b b = new b();
        AtomicLong c = new AtomicLong();
        for (int i = 0; i < 5; i++)
            m2("p" + i, () -> {
                a.a();
                m0(c.incrementAndGet() <= 2, "1");
                m1(2, 6);
                c.decrementAndGet();
                a.b();
                b.b();
                m1(0, 3);
            });
        for (int i = 1; i <= 3; i++) {
            int j = i;
            m2("q" + i, () -> {
                m0(b.a(j * 2) >= 0, "2");
                m1(1, 4);
            });
        }
        m3(y);
    }
}
