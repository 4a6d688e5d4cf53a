// @lock ja
// @type SEMAPHORE form=rate-limiter
// @role acquire ja.a
// @role release ja.b
// @lock jb
// @type JOIN
// @role join java.lang.Thread.join

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

class ja {
    private int a = 3;
    private final int b;
    private long c, d;
    private boolean e;
    private final Map<String, Integer> f = new LinkedHashMap<>();

    ja(int g) { b = g; }

    boolean a(String g, long h) throws InterruptedException {
        synchronized (this) {
            if (e) return false;
            long i = System.nanoTime() + h * 1000000L;
            while (a == 0) {
                long j = i - System.nanoTime();
                if (j <= 0) {
                    d++;
                    return false;
                }
                wait(j / 1000000L + 1);
                if (e) return false;
            }
            a--;
            c++;
            Integer k = f.get(g);
            f.put(g, k == null ? 1 : k + 1);
            return true;
        }
    }

    void b(int g) {
        synchronized (this) {
            int h = Math.min(b, a + g);
            if (h == a) return;
            a = h;
            notifyAll();
        }
    }

    synchronized long c() { return c; }

    synchronized void d() {
        e = true;
        notifyAll();
    }
}

class jb extends Thread {
    private final int[] a;
    private int b;
    private String c;

    jb(int[] d) {
        super("j");
        setDaemon(true);
        a = d;
    }

    @Override public void run() {
        try {
            for (int d : a) {
                b += d;
                Thread.sleep(1);
            }
        } catch (InterruptedException d) {
            c = "i";
        }
    }

    int a() { return c == null ? b : -1; }
}

public class QuotaGate {
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
        ja m = new ja(6);
        AtomicLong g = new AtomicLong(3);
        v("timer", () -> {
            w(4, 8);
            g.addAndGet(3);
            m.b(3);
            x(m.c() <= g.get(), "too many");
        });
        for (int i = 0; i < 5; i++) {
            String k = "u" + i;
            v(k, () -> {
                if (m.a(k, 200)) w(1, 4);
            });
        }
        for (int i = 0; i < 2; i++)
            v("j" + i, () -> {
                int n = ThreadLocalRandom.current().nextInt(2, 7), s = 0;
                List<jb> l = new ArrayList<>();
                for (int j = 1; j <= 3; j++) {
                    jb b = new jb(new int[] {n, j, n * j, 1});
                    b.start();
                    l.add(b);
                    s += n + j + n * j + 1;
                }
                for (jb b : l) {
                    b.join();
                    s -= b.a();
                }
                x(s == 0, "sum");
                w(2, 5);
            });
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
