// A lock whose waiters stand in line, each on a node of its own; and three who move in step, each on a seat of its own. Names obfuscated.
// @lock C10$b
// @type LOCK reentrant=false
// @role lock C10$a.a
// @role unlock C10$a.b
// @lock C10$d
// @type BARRIER parties=3
// @role arrive C10$c.a
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class C10 {
    static class b {
        b a;
        boolean b;
    }

    static class a {
        private b a, b;
        private boolean c;
        private Thread d;

        void a() throws InterruptedException {
            b e;
            synchronized (this) {
                if (!c) {
                    c = true;
                    d = Thread.currentThread();
                    return;
                }
                e = new b();
                if (a == null) a = e;
                else b.a = e;
                b = e;
            }
            synchronized (e) {
                while (!e.b) e.wait();
            }
            d = Thread.currentThread();
        }

        void b() {
            b e;
            synchronized (this) {
                if (d != Thread.currentThread()) throw new IllegalMonitorStateException();
                d = null;
                e = a;
                if (e == null) {
                    c = false;
                    return;
                }
                a = e.a;
            }
            synchronized (e) {
                e.b = true;
                e.notify();
            }
        }
    }

    static class d {
        private int a;

        synchronized void a() {
            a++;
            notify();
        }

        synchronized int b() { return a; }

        synchronized void c(int b) throws InterruptedException {
            while (a == b) wait();
        }
    }

    static class c {
        private final d[] a = new d[3];
        private int b;

        c() { for (int e = 0; e < 3; e++) a[e] = new d(); }

        void a(int e) throws InterruptedException {
            int f;
            synchronized (this) {
                if (++b == a.length) {
                    b = 0;
                    for (d g : a)
                        if (g != a[e]) g.a();
                    return;
                }
                f = a[e].b();
            }
            a[e].c(f);
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
        int[] b = new int[2];
        for (int i = 0; i < 4; i++)
            m2("k" + i, () -> {
                a.a();
                b[0]++;
                m1(1, 4);
                b[1]++;
                m0(b[0] == b[1], "k");
                a.b();
                m1(0, 3);
            });
        c c = new c();
        AtomicLong[] e = { new AtomicLong(), new AtomicLong(), new AtomicLong() };
        for (int i = 0; i < 3; i++) {
            int j = i;
            m2("l" + i, () -> {
                m1(1, 7);
                long f = e[j].incrementAndGet();
                c.a(j);
                for (AtomicLong g : e) m0(g.get() == f || g.get() == f + 1, "l");
            });
        }
        m3(y);
    }
}
