// @lock ga
// @type READ-WRITE+CONDITION preference=writers reentrant=false
// @role read-lock ga.c
// @role read-unlock ga.d
// @role write-lock ga.e
// @role write-unlock ga.f
// @role wait ga.g
// @role notify ga.f
// @lock gb
// @type MUTEX
// @quiet

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

class ga {
    enum s { A, B, C }

    interface l { void a(int b); }

    private s a = s.A;            // nobody, readers, a writer
    private final Set<String> b = new HashSet<>();
    private int c;
    private int d;
    private final int[] e = new int[4];
    private final List<l> f = new ArrayList<>();
    private long g;

    synchronized void a(l h) { f.add(h); }

    synchronized void c(String h) throws InterruptedException {
        while (a == s.C || c > 0) wait();
        a = s.B;
        if (!b.add(h)) throw new IllegalStateException(h);
        g++;
    }

    synchronized void d(String h) {
        if (!b.remove(h)) throw new IllegalStateException(h);
        if (!b.isEmpty()) return;
        a = s.A;
        notifyAll();
    }

    synchronized boolean e() throws InterruptedException {
        ++c;
        try {
            while (a != s.A) wait();
            a = s.C;
        } finally {
            --c;
        }
        return true;
    }

    void f(boolean h) {
        List<l> i = null;
        int j;
        synchronized (this) {
            if (a != s.C) throw new IllegalStateException();
            a = s.A;
            if (h) {
                d++;
                i = new ArrayList<>(f);
            }
            j = d;
            notifyAll();
        }
        if (i != null) for (l k : i) k.a(j);
    }

    /** waits for an edition after h */
    synchronized int g(int h) throws InterruptedException {
        while (d <= h) wait();
        return d;
    }

    int[] h() { return e; }
}

class gb implements ga.l {
    private int a, b;

    @Override public synchronized void a(int c) {
        a++;
        if (c > b) b = c;
    }

    synchronized int c() { return b; }
}

public class FareTable {
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
        ga m = new ga();
        gb n = new gb();
        m.a(n);
        for (int i = 0; i < 4; i++) {
            String k = "r" + i;
            v(k, () -> {
                m.c(k);
                try {
                    int[] e = m.h();
                    int a = e[0];
                    w(1, 3);
                    for (int b : e) x(b == a, "fares differ");
                } finally {
                    m.d(k);
                }
                w(2, 6);
            });
        }
        for (int i = 0; i < 2; i++)
            v("w" + i, () -> {
                boolean h = false;
                m.e();
                try {
                    int[] e = m.h();
                    for (int j = 0; j < 4; j++) {
                        e[j]++;
                        if (j == 1) w(1, 2);
                    }
                    h = ThreadLocalRandom.current().nextInt(4) > 0;
                } finally {
                    m.f(h);
                }
                w(4, 10);
            });
        for (int i = 0; i < 2; i++) {
            int[] s = {0};
            v("c" + i, () -> {
                int t = m.g(s[0]);
                x(t > s[0], "edition went back");
                s[0] = t;
                if (t % 20 == 0) x(n.c() <= m.g(t - 1), "told too early");
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
