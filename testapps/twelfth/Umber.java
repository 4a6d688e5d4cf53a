// @lock Umber$b
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock Umber$b.a
// @role read-unlock Umber$b.c
// @role write-lock Umber$b.b
// @role write-unlock Umber$b.d
//
// @lock Umber$f
// @type CONDITION
// @role wait Umber$f.a
// @role notify Umber$f.b

import java.util.*;

/** A register read by many and written by few, everybody in order of arrival on a link of his own; and a count that has to be even for some. Obfuscated. */
public class Umber {
    interface Job {
        void run() throws Exception;
    }

    static final java.util.concurrent.atomic.AtomicLong ops = new java.util.concurrent.atomic.AtomicLong();
    static volatile String broken;

    static void check(boolean ok, String what) {
        if (!ok)
            throw new IllegalStateException(what);
    }

    static int rnd(int from, int to) {
        return java.util.concurrent.ThreadLocalRandom.current().nextInt(from, to + 1);
    }

    static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void loop(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    job.run();
                    ops.incrementAndGet();
                }
            } catch (Exception e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void supervise(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> broken = t.getName() + ": " + e);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(50);
            still = ops.get() == seen ? still + 1 : 0;
            seen = ops.get();
            if (still > 100)
                broken = "nothing happens any more";
        }
        if (broken != null) {
            System.out.println("FAILED " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }

    static final class a {
        final boolean a;
        boolean b;
        a c;

        a(boolean d) {
            a = d;
        }
    }

    static final class b {
        private int e;
        private boolean f;
        private a g;
        private a h;

        private void a(a i) {
            if (g == null)
                g = i;
            else
                h.c = i;
            h = i;
        }

        private void e() {
            while (g != null && !f) {
                a i = g;
                if (i.a) {
                    if (e > 0)
                        return;
                    f = true;
                } else
                    e++;
                g = i.c;
                if (g == null)
                    h = null;
                synchronized (i) {
                    i.b = true;
                    i.notify();
                }
            }
        }

        void a() throws InterruptedException {
            a i;
            synchronized (this) {
                if (!f && g == null) {
                    e++;
                    return;
                }
                a(i = new a(false));
            }
            synchronized (i) {
                while (!i.b)
                    i.wait();
            }
        }

        void b() throws InterruptedException {
            a i;
            synchronized (this) {
                if (!f && g == null && e == 0) {
                    f = true;
                    return;
                }
                a(i = new a(true));
            }
            synchronized (i) {
                while (!i.b)
                    i.wait();
            }
        }

        synchronized void c() {
            e--;
            e();
        }

        synchronized void d() {
            f = false;
            e();
        }
    }

    static final class f {
        private int c;

        synchronized void a() throws InterruptedException {
            while ((c & 1) != 0)
                wait();
        }

        synchronized void b() {
            c++;
            if ((c & 1) == 0)
                notifyAll();
        }
    }

    static final TreeMap<Integer, Integer> g = new TreeMap<>();

    static void a(b h) throws InterruptedException {
        h.a();
        try {
            int i = 0;
            for (int j : g.values())
                i += j;
            check(i == 0, "sum " + i);
            nap(rnd(1, 4));
        } finally {
            h.c();
        }
        nap(rnd(1, 7));
    }

    static void b(b h) throws InterruptedException {
        h.b();
        try {
            int i = rnd(0, 9);
            g.merge(i, 1, Integer::sum);
            nap(1);
            g.merge(i + 10, -1, Integer::sum);
        } finally {
            h.d();
        }
        nap(rnd(3, 11));
    }

    public static void main(String[] args) throws Exception {
        final b k = new b();
        final f l = new f();
        for (int i = 0; i < 4; i++)
            loop("r" + i, () -> a(k));
        for (int i = 0; i < 2; i++)
            loop("w" + i, () -> b(k));
        for (int i = 0; i < 3; i++)
            loop("e" + i, () -> {
                l.a();
                nap(rnd(2, 6));
            });
        loop("i", () -> {
            nap(rnd(4, 9));
            l.b();
        });
        supervise(args);
    }
}
