// @lock da
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put da.a
// @role take da.b
// @lock java.util.TreeMap
// @type MUTEX
// @quiet

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

class da {
    private static final class b {
        Object a;
        int b;
    }

    private final Deque<Object> a = new ArrayDeque<>();
    private final Deque<b> b = new ArrayDeque<>();
    private long c, d;
    private int e;
    private boolean f;

    boolean a(Object g) {
        if (g == null) return false;
        b h;
        synchronized (this) {
            if (f) return false;
            c++;
            h = b.pollLast();
            if (h == null) {
                a.add(g);
                if (a.size() > e) e = a.size();
                return true;
            }
            d++;
        }
        synchronized (h) {
            h.a = g;
            h.notify();
        }
        return true;
    }

    Object b() throws InterruptedException {
        b g = new b();
        synchronized (this) {
            Object h = a.poll();
            if (h != null) return h;
            b.addLast(g);
        }
        synchronized (g) {
            while (g.a == null) {
                g.wait(3000);
                g.b++;
            }
            return g.a;
        }
    }

    synchronized long c() { return c - a.size(); }
}

class db {
    private final Map<String, Integer> a = new TreeMap<>();

    void a(String b) {
        synchronized (a) {
            Integer c = a.get(b);
            a.put(b, c == null ? 1 : c + 1);
        }
    }

    int b() {
        int b = 0;
        synchronized (a) {
            for (int c : a.values()) b += c;
        }
        return b;
    }
}

public class JobSeats {
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
        da m = new da();
        db n = new db();
        AtomicLong put = new AtomicLong(), got = new AtomicLong();
        for (int i = 0; i < 2; i++) {
            String k = "s" + i;
            v(k, () -> {
                int c = ThreadLocalRandom.current().nextInt(1, 7);
                for (int j = 0; j < c; j++) {
                    put.incrementAndGet();
                    x(m.a(Integer.valueOf(j)), "refused");
                    n.a(k);
                }
                w(4, 12);
            });
        }
        for (int i = 0; i < 4; i++) {
            String k = "t" + i;
            v(k, () -> {
                Object o = m.b();
                x(o instanceof Integer, "nothing");
                got.incrementAndGet();
                x(got.get() <= put.get() && m.c() <= put.get(), "invented");
                n.a(k);
                w(0, 3);
                if (got.get() % 50 == 0) x(n.b() > 0, "not counted");
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
