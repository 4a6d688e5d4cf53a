// @lock Quartz$a
// @type LOCK+CONDITION reentrant=true
// @role lock Quartz$a.a
// @role unlock Quartz$a.b
// @role wait Quartz$a.d
// @role notify Quartz$a.c

/** A drawing edited under a lock that its owner may take again; viewers wait on the same monitor for a later commit. Obfuscated. */
public class Quartz {
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
        private String a;
        private int e;
        private int f;

        synchronized void a(String g) throws InterruptedException {
            if (g.equals(a)) {
                e++;
                return;
            }
            while (a != null)
                wait();
            a = g;
            e = 1;
        }

        synchronized void b(String g) {
            if (!g.equals(a))
                throw new IllegalStateException(g);
            e--;
            if (e == 0) {
                a = null;
                notifyAll();
            }
        }

        synchronized void c(String g) {
            check(g.equals(a), "commit without the lock");
            f++;
            notifyAll();
        }

        synchronized int d(int g) throws InterruptedException {
            while (f - g <= 0)
                wait();
            return f;
        }
    }

    static final class b {
        private final a a;
        private final int[] c = new int[3];

        b(a d) {
            a = d;
        }

        void a(String d, int e) throws InterruptedException {
            a.a(d);
            try {
                c[e]++;
                if (e + 1 < c.length)
                    a(d, e + 1);
                else
                    nap(rnd(1, 3));
                check(c[0] >= c[e], "lost edit");
                if (e == 0) {
                    check(c[0] == c[2], "torn edit");
                    a.c(d);
                }
            } finally {
                a.b(d);
            }
        }
    }

    static final class c extends Thread {
        private final a a;

        c(a b, int d) {
            super("c" + d);
            a = b;
            setDaemon(true);
        }

        @Override
        public void run() {
            int b = 0;
            try {
                for (;;) {
                    int d = a.d(b);
                    check(d > b, "nothing new");
                    b = d;
                    ops.incrementAndGet();
                    nap(rnd(0, 2));
                }
            } catch (InterruptedException d) {
                broken = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final a k = new a();
        final b l = new b(k);
        for (int i = 0; i < 4; i++) {
            final String m = "e" + i;
            loop(m, () -> {
                l.a(m, 0);
                nap(rnd(2, 8));
            });
        }
        new c(k, 1).start();
        new c(k, 2).start();
        supervise(args);
    }
}
