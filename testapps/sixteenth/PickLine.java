// @lock d
// @type PRODUCER-CONSUMER capacity=1
// @role put d.a
// @role put d.b
// @role take d.c
// @lock e
// @type LOCK reentrant=false
// @role lock e.a
// @role unlock e.b

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

class d {
    private long[] a;
    private int b, c;
    private boolean d;
    private String e;
    private long f;

    synchronized void a(long[] g) throws InterruptedException {
        if (g == null) throw new NullPointerException();
        while (a != null) wait();
        a(g, "a");
    }

    synchronized boolean b(long[] g, int h) throws InterruptedException {
        if (g == null || d) return false;
        long i = System.nanoTime() + h * 1_000_000L;
        while (a != null) {
            long j = (i - System.nanoTime()) / 1_000_000L;
            if (j <= 0) {
                c++;
                return false;
            }
            wait(j);
        }
        a(g, "b");
        return true;
    }

    private void a(long[] g, String h) {
        a = g;
        e = h;
        b++;
        notifyAll();
    }

    synchronized long[] c() throws InterruptedException {
        try {
            while (a == null) {
                if (d) return null;
                wait();
            }
            f += a.length;
            return a;
        } finally {
            if (a != null) {
                a = null;
                notifyAll();
            }
        }
    }

    synchronized void d() {
        d = true;
        notifyAll();
    }

    synchronized int e() { return c; }
}

class e {
    private boolean a;
    private String b;
    private int c;
    private final List<String> d = new ArrayList<>();

    void a(String f) throws InterruptedException {
        synchronized (this) {
            if (f.equals(b)) throw new IllegalStateException(f);
            for (c++; a; ) wait();
            c--;
            a = true;
            b = f;
            d.add(f);
            if (d.size() > 16) d.remove(0);
        }
    }

    void b(String f) {
        synchronized (this) {
            if (!a || !f.equals(b)) throw new IllegalStateException(f + b);
            a = false;
            b = null;
            if (c == 0) return;
            notify();
        }
    }
}

public class PickLine {
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
    static int s;

    public static void main(String[] v) throws Exception {
        d m = new d();
        e n = new e();
        AtomicLong put = new AtomicLong(), got = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            int k = i;
            v("a" + i, () -> {
                long q = ThreadLocalRandom.current().nextInt(100);
                put.addAndGet(q);
                if (k > 0) m.a(new long[] {q, -q});
                else if (!m.b(new long[] {q, -q}, 4)) put.addAndGet(-q);
                w(8, 26);
            });
        }
        for (int i = 0; i < 3; i++) {
            String k = "b" + i;
            v(k, () -> {
                if (k.equals("b0")) {
                    long[] q = m.c();
                    x(q != null && q[0] == -q[1], "torn");
                    got.addAndGet(q[0]);
                    x(got.get() <= put.get(), "more than put");
                }
                n.a(k);
                try {
                    int before = s;
                    w(1, 3);
                    s = before + 1;
                    x(s == before + 1, "lost");
                } finally {
                    n.b(k);
                }
                if (!k.equals("b0")) w(0, 3);
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
