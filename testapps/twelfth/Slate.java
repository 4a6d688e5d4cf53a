// @lock Slate$a
// @type PRODUCER-CONSUMER capacity=4
// @role put Slate$b.a
// @role take Slate$b.b

/** Four cells used in rotation by senders and receivers, each cell with a monitor of its own, numbers drawn at either end. Obfuscated. */
public class Slate {
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
        private long a;
        private Object b;

        private boolean a(long c) {
            return a == c;
        }
    }

    static final class b {
        private final a[] c;
        private final Object d = new Object();
        private final Object e = new Object();
        private long f;
        private long g;

        b(int h) {
            c = new a[h];
            for (int i = 0; i < h; i++)
                c[i] = new a();
        }

        void a(Object h) throws InterruptedException {
            long i;
            synchronized (d) {
                i = f++;
            }
            a j = c[(int) (i % c.length)];
            long k = i / c.length * 2;
            synchronized (j) {
                while (!j.a(k))
                    j.wait();
                j.b = h;
                j.a++;
                j.notifyAll();
            }
        }

        Object b() throws InterruptedException {
            long i;
            synchronized (e) {
                i = g++;
            }
            a j = c[(int) (i % c.length)];
            long k = i / c.length * 2 + 1;
            synchronized (j) {
                while (!j.a(k))
                    j.wait();
                Object l = j.b;
                j.b = null;
                j.a++;
                j.notifyAll();
                return l;
            }
        }
    }

    static final class c {
        final int a;
        final long b;

        c(int d, long e) {
            a = d;
            b = e;
        }
    }

    static final class d extends Thread {
        private final b a;
        private final int b;

        d(b c, int e) {
            super("d" + e);
            a = c;
            b = e;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (long c = 0;;) {
                    for (int e = rnd(3, 8); e > 0; e--)
                        a.a(new c(b, c++));
                    nap(rnd(4, 16));
                }
            } catch (InterruptedException c) {
                broken = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final b k = new b(4);
        final java.util.concurrent.atomic.AtomicLongArray l = new java.util.concurrent.atomic.AtomicLongArray(3);
        for (int i = 0; i < 3; i++)
            new d(k, i).start();
        for (int i = 0; i < 3; i++)
            loop("r" + i, () -> {
                c m = (c) k.b();
                check(m != null, "nothing taken");
                long n = l.incrementAndGet(m.a);
                check(Math.abs(m.b - n) < 10, "lost or doubled: " + m.b + " at " + n);
                nap(rnd(1, 3));
            });
        supervise(args);
    }
}
