// @lock Ember$a
// @type PRODUCER-CONSUMER capacity=8
// @role put Ember$a.a
// @role take Ember$a.b
//
// @lock Ember$c
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Ember$c.b
// @role take Ember$c.a
// @role take Ember$c.d
//
// @lock Ember$g
// @type MUTEX
// @role enter Ember$g.a
// @role enter Ember$g.b

import java.util.*;

/** A two-stage pipeline: a ring in front, an endless chain behind, a table of results at the end. Obfuscated. */
public class Ember {
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
        private final long[] c = new long[8];
        private long d;
        private long e;

        void a(long f) throws InterruptedException {
            synchronized (this) {
                while (e - d == c.length)
                    wait();
                c[(int) (e++ & 7)] = f;
                notifyAll();
            }
        }

        long b() throws InterruptedException {
            synchronized (this) {
                while (e == d)
                    wait();
                long f = c[(int) (d++ & 7)];
                notifyAll();
                return f;
            }
        }
    }

    static final class b {
        final long a;
        b b;

        b(long c) {
            a = c;
        }
    }

    static final class c {
        private b e;
        private b f;

        synchronized long a() throws InterruptedException {
            while (e == null)
                wait();
            return c();
        }

        synchronized void b(long g) {
            b h = new b(g);
            if (e == null)
                e = h;
            else
                f.b = h;
            f = h;
            notify();
        }

        private long c() {
            long g = e.a;
            e = e.b;
            if (e == null)
                f = null;
            return g;
        }

        synchronized long d(long h) throws InterruptedException {
            long i = System.currentTimeMillis() + h;
            while (e == null) {
                long j = i - System.currentTimeMillis();
                if (j <= 0)
                    return -1;
                wait(j);
            }
            return c();
        }
    }

    static final class g {
        private final HashMap<Long, Long> c = new HashMap<>();
        private long d;

        synchronized void a(long e) {
            long f = e % 31;
            Long h = c.get(f);
            c.put(f, h == null ? e : h + e);
            nap(1);
            d += e;
        }

        synchronized void b() {
            long e = 0;
            for (long f : c.values())
                e += f;
            nap(2);
            check(e == d, "sum");
            if (d > 1L << 40) {
                c.clear();
                d = 0;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final a k = new a();
        final c l = new c();
        final g m = new g();
        for (int i = 0; i < 2; i++)
            loop("p" + i, () -> {
                for (int j = rnd(4, 12); j > 0; j--)
                    k.a(rnd(1, 1000));
                nap(rnd(5, 25));
            });
        for (int i = 0; i < 2; i++)
            loop("q" + i, () -> {
                long e = k.b();
                nap(rnd(3, 6));
                l.b(e * 2);
            });
        for (int i = 0; i < 3; i++) {
            final boolean n = i == 0;
            loop("r" + i, () -> {
                long e = n ? l.d(5) : l.a();
                if (e < 0)
                    return;
                check((e & 1) == 0, "odd");
                m.a(e);
            });
        }
        loop("s", () -> {
            m.b();
            nap(rnd(2, 6));
        });
        supervise(args);
    }
}
