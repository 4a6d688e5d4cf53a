// @lock a
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock a.a
// @role read-unlock a.b
// @role write-lock a.c
// @role write-unlock a.d
// @lock a$b
// @type LATCH count=1
// @role await a$b.a
// @role count-down a$b.b

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

class a {
    static class b {
        private boolean a;
        private int b;
        private long c;

        boolean a(int d) throws InterruptedException {
            synchronized (this) {
                b++;
                try {
                    for (long e = System.currentTimeMillis() + d; !a; ) {
                        long f = e - System.currentTimeMillis();
                        if (f <= 0) return false;
                        wait(f);
                    }
                } finally {
                    b--;
                }
                return true;
            }
        }

        void b() {
            synchronized (this) {
                if (a) return;
                a = true;
                c = System.currentTimeMillis();
                notifyAll();
            }
        }
    }

    private final Map<Thread, Integer> a = new HashMap<>();
    private Thread b;
    private int c;
    private long d, e;
    private final List<String> f = new ArrayList<>();
    volatile b g = new b();

    synchronized void a() throws InterruptedException {
        Thread h = Thread.currentThread();
        Integer i = a.get(h);
        if (i == null) {
            while (b != null && b != h) wait();
            i = 0;
        }
        a.put(h, i + 1);
        d++;
    }

    synchronized void b() {
        Integer h = a.remove(Thread.currentThread());
        if (h == null) throw new IllegalStateException();
        if (h > 1) a.put(Thread.currentThread(), h - 1);
        else if (a.isEmpty()) notifyAll();
    }

    synchronized void c() throws InterruptedException {
        Thread h = Thread.currentThread();
        if (b != h) {
            if (a.containsKey(h)) throw new IllegalStateException("no upgrade");
            while (b != null || !a.isEmpty()) wait();
            b = h;
        }
        c++;
        e++;
    }

    synchronized void d() {
        if (b != Thread.currentThread()) throw new IllegalStateException();
        if (--c == 0) {
            b = null;
            notifyAll();
        }
    }

    int e() throws InterruptedException {
        a();
        try {
            int h = f.size();
            return h > 0 ? h + f() - h : f();
        } finally {
            b();
        }
    }

    private int f() throws InterruptedException {
        a();
        try {
            return f.size();
        } finally {
            b();
        }
    }

    void a(String h) throws InterruptedException {
        c();
        try {
            f.add(h);
            g(h);
        } finally {
            d();
        }
        b i = g;
        g = new b();
        i.b();
    }

    private void g(String h) throws InterruptedException {
        c();
        try {
            Thread.sleep(2);
            f.add(h);
            if (f() > 20) f.clear();
        } finally {
            d();
        }
    }
}

public class CatalogPages {
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
        a m = new a();
        for (int i = 0; i < 4; i++) {
            int k = i;
            v("r" + i, () -> {
                m.a();
                try {
                    int n = m.e();
                    x(n % 2 == 0, "odd");
                    w(1, 3);
                    x(n == m.e(), "changed");
                } finally {
                    m.b();
                }
                if (k < 3) x(m.g.a(10_000), "no change");
                w(1, 5);
            });
        }
        for (int i = 0; i < 2; i++) {
            int k = i;
            if (k == 0) v("w", () -> { m.a("p" + k); w(4, 9); });
            else v("u", () -> {
                m.c();
                try {
                    x(m.e() % 2 == 0, "odd page");
                    w(1, 2);
                } finally {
                    m.d();
                }
                w(7, 14);
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
