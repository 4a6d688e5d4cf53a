// @lock Cinder$b
// @type LOCK reentrant=false
// @role lock Cinder$b.a
// @role unlock Cinder$b.b
//
// @lock java.lang.Class#c
// @type MUTEX
// @role enter Cinder$d.c
// @role enter Cinder$d.d

import java.util.*;

/** Rows of a table, each locked by a bit of one number; a change of two rows takes both bits at once. Obfuscated. */
public class Cinder {
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

    static final class b {
        private int a;
        private int c;

        private boolean c(int d) {
            return (a & d) == 0;
        }

        synchronized void a(int d) throws InterruptedException {
            c++;
            try {
                while (!c(d))
                    wait();
                a |= d;
            } finally {
                c--;
            }
        }

        synchronized void b(int d) {
            if ((a & d) != d)
                throw new IllegalStateException("not held: " + d);
            a &= ~d;
            if (c > 0)
                notifyAll();
        }
    }

    static final class d {
        private static final TreeMap<Integer, Long> a = new TreeMap<>();
        private static long b;

        static synchronized void c(int e) {
            Long f = a.get(e);
            a.put(e, f == null ? 1L : f + 1L);
            nap(1);
            b++;
        }

        static synchronized long d() {
            long e = 0;
            for (Long f : a.values())
                e += f;
            nap(1);
            check(e == b, "sum " + e + " of " + b);
            return e;
        }
    }

    static final class e {
        final int[] a = new int[4];
        final boolean[] b = new boolean[4];

        void a(int c, int d) {
            check(!b[c] && !b[d], "row in use");
            b[c] = b[d] = true;
            a[c]--;
            nap(rnd(1, 3));
            a[d]++;
            b[c] = b[d] = false;
        }
    }

    static final class f implements Job {
        private final b a;
        private final e b;

        f(b c, e d) {
            a = c;
            b = d;
        }

        @Override
        public void run() throws Exception {
            int c = rnd(0, 3);
            int d = rnd(0, 3);
            int g = 1 << c | 1 << d;
            a.a(g);
            try {
                b.a(c, d);
            } finally {
                a.b(g);
            }
            Cinder.d.c(c);
            nap(rnd(1, 4));
        }
    }

    public static void main(String[] args) throws Exception {
        final b k = new b();
        final e l = new e();
        for (int i = 0; i < 6; i++)
            loop("w" + i, new f(k, l));
        loop("x", () -> {
            k.a(15);
            int s;
            try {
                s = l.a[0] + l.a[1] + l.a[2] + l.a[3];
            } finally {
                k.b(15);
            }
            check(s == 0, "sum " + s);
            d.d();
            nap(rnd(5, 15));
        });
        supervise(args);
    }
}
