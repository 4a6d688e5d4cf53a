// @lock Nettle$a
// @type CONDITION
// @role wait Nettle$a.b
// @role notify Nettle$a.b
//
// @lock Nettle$d
// @type CONDITION
// @role wait Nettle$d.a
// @role notify Nettle$d.c

/** Three threads that take turns along a ring of nodes; others follow a number that only grows. Obfuscated. */
public class Nettle {
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

    static final class c {
        final int a;
        c b;

        c(int d) {
            a = d;
        }
    }

    static final class a {
        private c c;
        private final StringBuilder d = new StringBuilder();

        a(int e) {
            c f = new c(0);
            c = f;
            for (int g = 1; g < e; g++) {
                f.b = new c(g);
                f = f.b;
            }
            f.b = c;
        }

        synchronized void b(int e) throws InterruptedException {
            while (c.a != e)
                wait();
            d.append((char) ('a' + e));
            if (d.length() == 3) {
                check(d.toString().equals("abc"), "order " + d);
                d.setLength(0);
            }
            c = c.b;
            notifyAll();
        }
    }

    static final class d {
        private long b;
        private int e;

        long a(long f) throws InterruptedException {
            synchronized (this) {
                e++;
                try {
                    while (b < f)
                        wait(200);
                } finally {
                    e--;
                }
                return b;
            }
        }

        void c(long f) {
            synchronized (this) {
                if (f <= b)
                    throw new IllegalArgumentException();
                b = f;
                if (e != 0)
                    notifyAll();
            }
        }
    }

    static final class e extends Thread {
        private final d a;
        private final int b;

        e(d c, int d) {
            super("e" + d);
            setDaemon(true);
            a = c;
            b = d;
        }

        @Override
        public void run() {
            long c = 0;
            try {
                while (!isInterrupted()) {
                    long d = a.a(c + b);
                    check(d >= c + b, "too early");
                    c = d;
                    ops.incrementAndGet();
                    nap(rnd(1, 4));
                }
            } catch (InterruptedException d) {
                broken = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final a k = new a(3);
        for (int i = 0; i < 3; i++) {
            final int m = i;
            loop("t" + i, () -> {
                nap(rnd(1, 4));
                k.b(m);
            });
        }
        d l = new d();
        for (int i = 1; i < 4; i++)
            new e(l, i * 7).start();
        final long[] n = new long[1];
        loop("f", () -> {
            nap(rnd(2, 6));
            n[0] += rnd(1, 5);
            l.c(n[0]);
        });
        supervise(args);
    }
}
