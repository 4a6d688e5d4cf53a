// @lock Iris$b
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock Iris$b.a
// @role read-unlock Iris$b.b
// @role write-lock Iris$b.c
// @role write-unlock Iris$b.d
//
// @lock java.lang.Object#e
// @type DELAY
// @role delay Iris$e.e

import java.util.*;

/** A tree of settings, read recursively by some and rewritten by others; retries with a growing pause. Obfuscated. */
public class Iris {
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
        private final Map<Thread, int[]> f = new IdentityHashMap<>();
        private Thread g;
        private int h;

        void a() throws InterruptedException {
            Thread i = Thread.currentThread();
            synchronized (this) {
                int[] j = f.get(i);
                if (j != null) {
                    j[0]++;
                    return;
                }
                while (g != null && g != i)
                    wait();
                f.put(i, new int[] {1});
            }
        }

        synchronized void b() {
            Thread i = Thread.currentThread();
            int[] j = f.get(i);
            if (j == null)
                throw new IllegalMonitorStateException();
            if (--j[0] == 0) {
                f.remove(i);
                notifyAll();
            }
        }

        private boolean a(Thread i) {
            if (g != null)
                return g == i;
            return f.isEmpty() || f.size() == 1 && f.containsKey(i);
        }

        synchronized void c() throws InterruptedException {
            Thread i = Thread.currentThread();
            while (!a(i))
                wait();
            g = i;
            h++;
        }

        synchronized void d() {
            if (g != Thread.currentThread())
                throw new IllegalMonitorStateException();
            if (--h > 0)
                return;
            g = null;
            notifyAll();
        }
    }

    static final class c {
        int a;
        int b;
        c d;

        c(int e) {
            if (e > 0)
                d = new c(e - 1);
        }

        int a(b e) throws InterruptedException {
            e.a();
            try {
                check(a + b == 0, "half an edit");
                nap(1);
                check(a + b == 0, "edited while read");
                return d == null ? 1 : 1 + d.a(e);
            } finally {
                e.b();
            }
        }

        void b(b e) throws InterruptedException {
            e.c();
            try {
                a++;
                if (d != null)
                    d.b(e);
                else
                    nap(1);
                b--;
            } finally {
                e.d();
            }
        }
    }

    static final class e {
        private final Object b = new Object();
        private int c;

        void e() throws InterruptedException {
            c = c == 3 ? 0 : c + 1;
            long d = System.currentTimeMillis() + (2L << c);
            synchronized (b) {
                for (;;) {
                    long f = d - System.currentTimeMillis();
                    if (f <= 0)
                        break;
                    b.wait(f);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final b k = new b();
        final c l = new c(2);
        for (int i = 0; i < 3; i++)
            loop("r" + i, () -> {
                check(l.a(k) == 3, "depth");
                nap(rnd(5, 16));
            });
        for (int i = 0; i < 2; i++)
            loop("w" + i, () -> {
                l.b(k);
                nap(rnd(3, 9));
            });
        for (int i = 0; i < 2; i++) {
            final e m = new e();
            loop("s" + i, () -> {
                long n = System.currentTimeMillis();
                m.e();
                check(System.currentTimeMillis() - n >= 2, "no pause");
            });
        }
        supervise(args);
    }
}
