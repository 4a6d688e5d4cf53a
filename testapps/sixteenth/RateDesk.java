// @lock b
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock b.a
// @role write-lock b.b
// @role read-unlock b.c
// @role write-unlock b.c
// @lock c
// @type DELAY
// @role delay c.a

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

class b {
    private int a;                 // below zero: somebody changes
    private int b;
    private boolean c;
    private long d;
    private final Map<String, double[]> e = new HashMap<>();
    private int f;

    synchronized boolean a(long g) throws InterruptedException {
        while (a < 0 || b > 0) {
            if (c) return false;
            wait(g);
        }
        a++;
        d++;
        return true;
    }

    synchronized boolean b() throws InterruptedException {
        b++;
        try {
            while (a != 0 && !c) wait();
            if (c) return false;
            a = -1;
            f++;
            return true;
        } finally {
            b--;
        }
    }

    synchronized void c() {
        if (a == 0) throw new IllegalStateException();
        if (a < 0) a = 0;
        else a--;
        if (a == 0) notifyAll();
    }

    synchronized void d() {
        c = true;
        notifyAll();
    }

    double[] a(String g) { return e.get(g); }

    void a(String g, double h) throws InterruptedException {
        double[] i = e.get(g);
        if (i == null) e.put(g, i = new double[2]);
        i[0] = h;
        Thread.sleep(1);
        i[1] = h;
    }
}

class c {
    private final b a;
    private int b = 2;
    private int c;
    private long d;
    private boolean e;

    c(b f) { a = f; }

    synchronized boolean a() throws InterruptedException {
        if (e) return false;
        long f = System.currentTimeMillis() + b + c;
        long g;
        while ((g = f - System.currentTimeMillis()) > 0) wait(g);
        d++;
        c = (c + 1) % 9;
        return true;
    }

    void b(String f) throws InterruptedException {
        if (!a()) return;
        if (!a.b()) return;
        try {
            a.a(f, ThreadLocalRandom.current().nextDouble());
        } finally {
            a.c();
        }
    }
}

public class RateDesk {
    static volatile String z;
    static final AtomicLong y = new AtomicLong();

    interface Q { void run() throws Exception; }

    static void x(boolean p5, String p4) { if (!p5 && z == null) z = p4; }

    static void w(int p2, int p3) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(p2, p3 + 1));
    }

    static void v(String p0, Q p1) {
        Thread t = new Thread(() -> {
            try {
                for (;;) { p1.run(); y.incrementAndGet(); }
            } catch (Throwable e) {
                x(false, p0 + " died: " + e);
            }
        }, p0);
        t.setDaemon(true);
        t.start();
    }
    public static void main(String[] v) throws Exception {
        b m = new b();
        String[] k = {"USD", "CHF", "JPY"};
        for (int i = 0; i < 3; i++) {
            c n = new c(m);
            String o = k[i];
            v("p" + i, () -> n.b(o));
        }
        for (int i = 0; i < 4; i++) {
            v("q" + i, () -> {
                if (!m.a(1000)) return;
                try {
                    for (String o : k) {
                        double[] d = m.a(o);
                        x(d == null || d[0] == d[1], "rate torn");
                    }
                    w(1, 3);
                } finally {
                    m.c();
                }
                w(2, 7);
            });
        }
        System.out.println("READY");
        long end = System.nanoTime() + (v.length > 0 ? Integer.parseInt(v[0]) : 600) * 1000000000L;
        while (System.nanoTime() < end && z == null) Thread.sleep(40);
        x(y.get() > 0, "no progress");
        if (z != null) {
            System.out.println("FAILED " + z);
            System.exit(1);
        }
        System.out.println("DONE " + y.get());
        System.exit(0);
    }
}
