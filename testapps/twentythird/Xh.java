// @lock Xh$a
// @type READ-WRITE+MUTEX preference=readers
// @role read-lock Xh$a.a
// @role read-unlock Xh$a.b
// @role write-lock Xh$a.c
// @role write-unlock Xh$a.d
// @role enter Xh$a.e
// @role enter Xh$a.f

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A price list behind a lock made from a map of readers, whose monitor guards the figures as well. Obfuscated. */
public class Xh {
    static volatile String u;
    static final AtomicLong v = new AtomicLong();

    interface S {
        void run() throws InterruptedException;
    }

    static void y(boolean a, String b) {
        if (!a && u == null) {
            u = b;
        }
    }

    static void z(int a, int b) throws InterruptedException {
        Thread.sleep(a + ThreadLocalRandom.current().nextInt(b - a + 1));
    }

    static void x(String a, S s) {
        Thread t = new Thread(() -> {
            try {
                while (u == null) {
                    s.run();
                    v.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                y(false, a + ": " + e);
            }
        }, a);
        t.setDaemon(true);
        t.start();
    }

    static void w(String[] a) throws InterruptedException {
        System.out.println("READY");
        long b = System.nanoTime() + (a.length > 0 ? Long.parseLong(a[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < b && u == null) {
            Thread.sleep(40);
        }
        y(v.get() > 0, "nothing was done");
        if (u != null) {
            System.out.println("BROKEN " + u);
            System.exit(1);
        }
        System.out.println("DONE " + v.get());
        System.exit(0);
    }
    static final class a {
        private final Map<Thread, Integer> a = new HashMap<>();
        private Thread b;
        private long c;
        private long d;

        synchronized void a() throws InterruptedException {
            Thread e = Thread.currentThread();
            while (b != null) {
                wait();
            }
            a.merge(e, 1, Integer::sum);
        }

        synchronized void b() {
            a.computeIfPresent(Thread.currentThread(), (e, f) -> f == 1 ? null : f - 1);
            if (a.isEmpty()) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            while (b != null || !a.isEmpty()) {
                wait();
            }
            b = Thread.currentThread();
        }

        synchronized void d() {
            b = null;
            notifyAll();
        }

        synchronized void e(int f) throws InterruptedException {
            c += f;
            z(1, 1);
            d++;
        }

        synchronized long f() {
            y(c >= d, "b");
            return d == 0 ? 0 : c / d;
        }
    }

    private final a b = new a();
    private final Map<Integer, Integer> c = new HashMap<>();

    void a() throws InterruptedException {
        b.a();
        try {
            y(c.size() % 2 == 0, "c");
            z(1, 4);
            y(c.size() % 2 == 0, "d");
        } finally {
            b.b();
        }
        b.e(ThreadLocalRandom.current().nextInt(1, 9));
        z(2, 8);
    }

    void b() throws InterruptedException {
        b.c();
        try {
            int d = ThreadLocalRandom.current().nextInt(50);
            if (c.remove(2 * d) == null) {
                c.put(2 * d, d);
            }
            z(1, 3);
            if (c.remove(2 * d + 1) == null) {
                c.put(2 * d + 1, d);
            }
        } finally {
            b.d();
        }
        y(b.f() < 10, "e");
        z(4, 14);
    }

    public static void main(String[] a) throws InterruptedException {
        Xh b = new Xh();
        for (int c = 0; c < 4; c++) {
            x("a" + c, b::a);
        }
        for (int c = 0; c < 2; c++) {
            x("b" + c, b::b);
        }
        w(a);
    }
}
