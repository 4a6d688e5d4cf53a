// @lock Kestrel$b
// @type BARRIER parties=5
// @role arrive Kestrel$b.d
//
// @lock Kestrel$e
// @type CONDITION
// @role wait Kestrel$e.a
// @role notify Kestrel$e.b

/** Five birds counted in by the bits of a number, phase by phase, and a nest whose watchers wait for exactly one hour of the day. Obfuscated. */
public class Kestrel {
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
        int a;
        int b;
    }

    static class b {
        private final a c = new a();
        private final int e;

        b(int f) {
            e = (1 << f) - 1;
        }

        private boolean a() {
            return c.a == e;
        }

        int d(int f) throws InterruptedException {
            synchronized (this) {
                check((c.a & 1 << f) == 0, "twice in one phase");
                c.a |= 1 << f;
                int g = c.b;
                if (a()) {
                    c.a = 0;
                    c.b = g + 1 & 0xffff;
                    notifyAll();
                    return g;
                }
                while (c.b == g)
                    wait(1000);
                return g;
            }
        }
    }

    static final class e {
        private int c;
        private final int d;

        e(int f) {
            d = f;
        }

        synchronized boolean a(int f, long g) throws InterruptedException {
            long h = System.currentTimeMillis() + g;
            while (c != f) {
                long i = h - System.currentTimeMillis();
                if (i <= 0)
                    return false;
                wait(i);
            }
            return true;
        }

        synchronized int b() {
            c = (c + 1) % d;
            notifyAll();
            return c;
        }
    }

    static final java.util.concurrent.atomic.AtomicIntegerArray f = new java.util.concurrent.atomic.AtomicIntegerArray(5);

    static final class g extends Thread {
        private final b a;
        private final int b;

        g(b c, int d) {
            super("g" + d);
            a = c;
            b = d;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                int c = 0;
                while (true) {
                    nap(rnd(1, 6));
                    int d = a.d(b);
                    check(d == (c & 0xffff), "phase");
                    f.set(b, ++c);
                    for (int e = 0; e < 5; e++) {
                        int h = f.get(e) - c;
                        check(h >= -1 && h <= 1, "too far apart");
                    }
                    ops.incrementAndGet();
                }
            } catch (InterruptedException c) {
                broken = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        b k = new b(5);
        for (int i = 0; i < 5; i++)
            new g(k, i).start();
        final e l = new e(4);
        for (int i = 0; i < 4; i++) {
            final int m = i;
            loop("w" + i, () -> {
                l.a(m, 100);
                nap(rnd(1, 5));
            });
        }
        loop("v", () -> {
            nap(rnd(3, 6));
            check(l.b() < 4, "hour");
        });
        supervise(args);
    }
}
