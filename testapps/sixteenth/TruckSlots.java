// @lock ca
// @type SEMAPHORE permits=2
// @role acquire ca.a
// @role release ca.b
// @lock java.lang.Object#d
// @type DELAY
// @role delay cc.d

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

class cb {
    final Thread a = Thread.currentThread();
    boolean b;
    long c;
    cb d;
}

class ca {
    private int a = 2;
    private cb b, c;
    private int d, e;
    private long f;
    private final Set<String> g = new TreeSet<>();

    void a(String h) throws InterruptedException {
        cb i;
        synchronized (this) {
            f++;
            if (a > 0 && b == null) {
                a--;
                g.add(h);
                return;
            }
            i = new cb();
            if (b == null) b = i;
            else c.d = i;
            c = i;
            if (++d > e) e = d;
        }
        synchronized (i) {
            while (!i.b) i.wait();
            i.c = System.currentTimeMillis();
        }
        synchronized (this) {
            g.add(h);
        }
    }

    void b(String h) {
        cb i;
        synchronized (this) {
            g.remove(h);
            i = b;
            if (i == null) {
                a++;
                return;
            }
            b = i.d;
            if (b == null) c = null;
            d--;
        }
        synchronized (i) {
            i.b = true;
            i.notify();
        }
    }

    synchronized int c() { return g.size(); }
}

class cc {
    private final Object a = new Object();
    private boolean b = true;
    private int c;
    private int d;

    void a(boolean e) {
        synchronized (a) {
            b = e;
        }
    }

    void d(int e) throws InterruptedException {
        synchronized (a) {
            if (!b) return;
            long f = System.nanoTime(), g = e * 1_000_000L, h = 0;
            while (h < g) {
                a.wait((g - h + 999_999L) / 1_000_000L);
                h = System.nanoTime() - f;
            }
            c++;
        }
    }

    int e() { return ++d; }
}

public class TruckSlots {
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
        ca m = new ca();
        AtomicLong in = new AtomicLong();
        for (int i = 0; i < 5; i++) {
            String k = "t" + i;
            v(k, () -> {
                m.a(k);
                try {
                    x(in.incrementAndGet() <= 2, "three");
                    w(3, 8);
                } finally {
                    in.decrementAndGet();
                    m.b(k);
                }
                w(1, 7);
            });
        }
        cc n = new cc();
        for (int i = 0; i < 3; i++) {
            int k = i;
            v("u" + i, () -> {
                long t = System.nanoTime();
                n.d(4 + 3 * k);
                x(System.nanoTime() - t >= 3_000_000L, "too short");
                x(m.c() <= 2, "three there");
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
