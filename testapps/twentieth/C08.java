// A tree walked by many, who may come in again from within, and changed by one at a time, who may too; who is in, is in a map. Names obfuscated.
// @lock C08$a
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock C08$a.a
// @role read-unlock C08$a.b
// @role write-lock C08$a.c
// @role write-unlock C08$a.d
// @lock java.util.IdentityHashMap#e
// @type MUTEX
// @role enter C08.e
// @role enter C08.f
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class C08 {
    static class a {
        private final Map<Thread, int[]> a = new HashMap<>();
        private Thread b;
        private int c;

        void a() throws InterruptedException {
            Thread d = Thread.currentThread();
            synchronized (this) {
                while (b != null && b != d) wait();
                a.computeIfAbsent(d, e -> new int[1])[0]++;
            }
        }

        void b() {
            synchronized (this) {
                int[] d = a.get(Thread.currentThread());
                if (d == null) throw new IllegalMonitorStateException();
                if (--d[0] == 0) {
                    a.remove(Thread.currentThread());
                    notifyAll();
                }
            }
        }

        void c() throws InterruptedException {
            Thread d = Thread.currentThread();
            synchronized (this) {
                while (!e(d)) wait();
                b = d;
                c++;
            }
        }

        private boolean e(Thread d) {
            if (b != null) return b == d;
            return a.isEmpty() || a.size() == 1 && a.containsKey(d);
        }

        void d() {
            synchronized (this) {
                if (b != Thread.currentThread()) throw new IllegalMonitorStateException();
                if (--c == 0) {
                    b = null;
                    notifyAll();
                }
            }
        }
    }

    static final Map<Object, Integer> b = new IdentityHashMap<>();

    static void e(Object c) throws InterruptedException {
        synchronized (b) {
            int d = b.getOrDefault(c, 0);
            Thread.sleep(2);
            b.put(c, d + 1);
        }
    }

    static void f(Object c, int d) throws InterruptedException {
        synchronized (b) {
            Thread.sleep(1);
            m0(b.getOrDefault(c, 0) == d, "f");
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
    static int[] g = new int[2];

    static void h(a c, int d) throws InterruptedException {
        c.a();
        try {
            m0(g[0] == g[1], "h");
            if (d > 0) h(c, d - 1);
            else m1(1, 3);
        } finally {
            c.b();
        }
    }

    static void i(a c, int d) throws InterruptedException {
        c.c();
        try {
            g[0]++;
            if (d > 0) {
                g[1]++;
                i(c, d - 1);
                h(c, 1);
            } else {
                m1(1, 3);
                g[1]++;
            }
        } finally {
            c.d();
        }
    }

    public static void main(String[] y) throws Exception {
        a c = new a();
        for (int j = 0; j < 3; j++) {
            Object k = new Object();
            int[] l = { 0 };
            m2("r" + j, () -> {
                h(c, ThreadLocalRandom.current().nextInt(3));
                e(k);
                f(k, ++l[0]);
                m1(2, 6);
            });
        }
        for (int j = 0; j < 2; j++)
            m2("w" + j, () -> {
                i(c, ThreadLocalRandom.current().nextInt(3));
                m1(3, 9);
            });
        m3(y);
    }
}
