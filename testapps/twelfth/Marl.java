// @lock Marl$c
// @type JOIN
// @role join Marl$b.a
//
// @lock Marl$d
// @type MUTEX
// @role enter Marl$d.a
// @role enter Marl$d.b
//
// @lock java.lang.Class#e
// @type MUTEX
// @role enter Marl$f.e
// @quiet

/** Jobs that are a thread and mark their own end as the last thing they do; sums kept aside. Obfuscated. */
public class Marl {
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

    abstract static class b extends Thread {
        private boolean c;

        abstract void c();

        @Override
        public final void run() {
            try {
                c();
            } finally {
                synchronized (this) {
                    c = true;
                    notifyAll();
                }
            }
        }

        final synchronized boolean a(int d) throws InterruptedException {
            long e = System.currentTimeMillis() + d;
            while (!c) {
                long f = e - System.currentTimeMillis();
                if (f <= 0)
                    return false;
                wait(f);
            }
            return true;
        }
    }

    static final class c extends b {
        private final int d;
        private final d e;
        long f;

        c(int g, d h) {
            d = g;
            e = h;
            setDaemon(true);
        }

        @Override
        void c() {
            for (int g = 1; g <= d; g++) {
                nap(1);
                f += g;
            }
            e.a(f);
        }
    }

    static final class d {
        private long c;
        private int e;

        void a(long f) {
            synchronized (this) {
                long g = c;
                nap(2);
                c = g + f;
                e++;
            }
        }

        long b() {
            synchronized (this) {
                long g = c;
                int h = e;
                nap(3);
                check(g == c && h == e, "changed meanwhile");
                return g;
            }
        }
    }

    static final class f {
        private static int d;

        static synchronized int e() {
            return ++d & 7;
        }
    }

    public static void main(String[] args) throws Exception {
        final d k = new d();
        for (int i = 0; i < 3; i++)
            loop("j" + i, () -> {
                int m = 4 + f.e();
                c l = new c(m, k);
                l.start();
                nap(1);
                while (!l.a(10))
                    check(l.isAlive(), "ended without a word");
                check(l.f == m * (m + 1) / 2, "result");
            });
        for (int i = 0; i < 2; i++)
            loop("s" + i, () -> {
                check(k.b() >= 0, "sum");
                nap(rnd(3, 9));
            });
        supervise(args);
    }
}
