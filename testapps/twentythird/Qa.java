// @lock Qa$b
// @type LOCK reentrant=true
// @role lock Qa$b.a
// @role unlock Qa$b.b
//
// @lock java.lang.Class#a
// @type MUTEX
// @role enter Qa$e.a
// @role enter Qa$e.b

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A workbook whose sheets recalculate one another, and a table of symbols. Obfuscated. */
public class Qa {
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
    static final class b {
        private Thread a;
        private int b;

        synchronized void a() throws InterruptedException {
            Thread c = Thread.currentThread();
            if (a == c) {
                b++;
                return;
            }
            while (a != null) {
                wait();
            }
            a = c;
            b = 1;
        }

        synchronized void b() {
            if (a != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            if (--b == 0) {
                a = null;
                notify();
            }
        }
    }

    static final class e {
        private static final Map<String, Integer> a = new HashMap<>();
        private static int b;

        static synchronized int a(String c) throws InterruptedException {
            Integer d = a.get(c);
            if (d == null) {
                Qa.z(1, 2);
                d = ++b;
                a.put(c, d);
            }
            return d;
        }

        static synchronized void b() throws InterruptedException {
            Qa.y(a.size() <= b, "c");
            if (a.size() > 40) {
                a.clear();
                Qa.z(1, 2);
            }
        }
    }

    private final b c = new b();
    private final int[] d = new int[8];

    void a(int a, int b) throws InterruptedException {
        c.a();
        try {
            d[a] += b;
            Qa.z(1, 2);
            if (a + 1 < d.length && a % 2 == 0) {
                a(a + 1, -b);
            } else if (a % 2 == 1) {
                b(a);
            }
        } finally {
            c.b();
        }
    }

    private void b(int a) throws InterruptedException {
        c.a();
        try {
            int e = 0;
            for (int f : d) {
                e += f;
            }
            Qa.y(e == 0, "d");
        } finally {
            c.b();
        }
    }

    public static void main(String[] a) throws InterruptedException {
        Qa b = new Qa();
        for (int c = 0; c < 4; c++) {
            x("c" + c, () -> {
                b.a(2 * ThreadLocalRandom.current().nextInt(4), ThreadLocalRandom.current().nextInt(9));
                z(2, 8);
            });
        }
        for (int c = 0; c < 4; c++) {
            x("d" + c, () -> {
                String d = "k" + ThreadLocalRandom.current().nextInt(400);
                y(Qa.e.a(d) > 0, "e");
                z(2, 5);
                Qa.e.b();
            });
        }
        w(a);
    }
}
