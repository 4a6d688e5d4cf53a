// @lock java.lang.Object#a
// @type LOCK reentrant=false
// @role lock Basalt$a.a
// @role unlock Basalt$a.b
//
// @lock Basalt$d
// @type LOCK reentrant=false
// @role lock Basalt$d.a
// @role lock Basalt$d.b
// @role unlock Basalt$d.c

/** Two resources of a plant: one served in the order of numbers drawn, the other by whoever is quick. Names as left by an obfuscator. */
public class Basalt {
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
        private final Object a = new Object();
        private long b;
        private long c;

        long a() throws InterruptedException {
            synchronized (a) {
                final long e = b++;
                boolean f = false;
                while (c != e) {
                    try {
                        a.wait();
                    } catch (InterruptedException g) {
                        f = true;                          // a number drawn must be used
                    }
                }
                if (f)
                    Thread.currentThread().interrupt();
                return e;
            }
        }

        void b(long e) {
            synchronized (a) {
                if (e != c)
                    throw new IllegalStateException("number " + e + " at " + c);
                c = e + 1;
                a.notifyAll();
            }
        }
    }

    interface c {
        boolean d();
    }

    static class d implements c {
        protected boolean a;
        protected String b;

        public boolean d() {
            return a;
        }

        synchronized void a(String e) {
            boolean i = false;
            for (;;) {
                if (!d())
                    break;
                try {
                    wait(50);
                } catch (InterruptedException f) {
                    i = true;
                }
            }
            a = true;
            b = e;
            if (i)
                Thread.currentThread().interrupt();
        }

        synchronized boolean b(String e, int g) throws InterruptedException {
            final long h = System.currentTimeMillis() + g;
            for (long j = g; d(); j = h - System.currentTimeMillis()) {
                if (j <= 0)
                    return false;
                this.wait(j);
            }
            a = true;
            b = e;
            return true;
        }

        synchronized void c(String e) {
            if (!a || !e.equals(b))
                throw new IllegalStateException(e + " is not " + b);
            b = null;
            a = false;
            notify();
        }
    }

    static final class f {
        final int[] a = new int[8];
        int b;

        void a(int c) {
            check(b++ == 0, "two inside");
            for (int d = 0; d < a.length; d++)
                a[d] += c;
            nap(rnd(1, 2));
            for (int d = 1; d < a.length; d++)
                check(a[d] == a[0], "torn");
            b--;
        }
    }

    public static void main(String[] args) throws Exception {
        final a k = new a();
        final d l = new d();
        final f m = new f();
        final f n = new f();
        for (int i = 0; i < 4; i++)
            loop("t" + i, () -> {
                long e = k.a();
                try {
                    m.a(1);
                } finally {
                    k.b(e);
                }
                nap(rnd(1, 5));
            });
        for (int i = 0; i < 5; i++) {
            final String e = "u" + i;
            final boolean p = i % 2 == 0;
            loop(e, () -> {
                if (p)
                    l.a(e);
                else if (!l.b(e, 6)) {
                    nap(2);
                    return;
                }
                try {
                    n.a(2);
                } finally {
                    l.c(e);
                }
                nap(rnd(1, 6));
            });
        }
        supervise(args);
    }
}
