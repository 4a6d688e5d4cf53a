// @lock h
// @type SEMAPHORE+CONDITION permits=3
// @role acquire h.a
// @role acquire h.b
// @role release h.c
// @role wait h.d
// @role notify h.c
// @lock h$a
// @type DELAY
// @role delay h$a.a

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

class h {
    /** pause between two rounds of maintenance */
    static class a {
        private int a;
        private long b;
        private final Map<Integer, Integer> c = new HashMap<>();

        void a(int d) throws InterruptedException {
            if (d < 1) return;
            synchronized (this) {
                long e = System.nanoTime();
                a++;
                b += d;
                long f = d;
                do {
                    wait(f);
                    f = d - (System.nanoTime() - e) / 1_000_000;
                } while (f > 0);
                c.merge(d, 1, Integer::sum);
            }
        }
    }

    private int a;                // a bit for each one that is out
    private int b, c;
    private long d;
    private boolean e;
    private String f;

    private int e() {
        for (int g = 0; g < 3; g++) if ((a & 1 << g) == 0) return g;
        return -1;
    }

    synchronized int a() throws InterruptedException {
        int g = e();
        for (b++; g < 0; g = e()) {
            if (e) break;
            wait();
        }
        b--;
        if (g < 0) return -1;
        a |= 1 << g;
        d++;
        return g;
    }

    synchronized int b(long g) throws InterruptedException {
        long i = System.currentTimeMillis() + g;
        int j;
        while ((j = e()) < 0) {
            long k = i - System.currentTimeMillis();
            if (k <= 0 || e) {
                c++;
                f = Thread.currentThread().getName();
                return -1;
            }
            wait(k);
        }
        a |= 1 << j;
        d++;
        return j;
    }

    synchronized void c(int g) {
        if ((a & 1 << g) == 0) throw new IllegalStateException(g + " " + f);
        a &= ~(1 << g);
        notifyAll();
    }

    /** at most one is out, now */
    synchronized int d() throws InterruptedException {
        while (Integer.bitCount(a) > 1) wait();
        return Integer.bitCount(a);
    }

    synchronized void f() {
        e = true;
        notifyAll();
    }
}

public class PoolHouse {
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
        h m = new h();
        Thread[] u = new Thread[3];
        for (int i = 0; i < 6; i++) {
            int k = i;
            v("u" + i, () -> {
                int n = k < 4 ? m.a() : m.b(12);
                if (n < 0) return;
                try {
                    x(u[n] == null, "given twice");
                    u[n] = Thread.currentThread();
                    w(2, 6);
                    u[n] = null;
                } finally {
                    m.c(n);
                }
                w(2, 8);
            });
        }
        for (int i = 0; i < 2; i++) {
            int k = i;
            h.a d = new h.a();
            v("m" + i, () -> {
                x(m.d() <= 1, "two out");
                d.a(5 + k);
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
