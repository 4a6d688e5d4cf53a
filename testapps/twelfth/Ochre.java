// @lock Ochre$a
// @type SEMAPHORE+MUTEX permits=3
// @role acquire Ochre$a.b
// @role release Ochre$a.c
// @role enter Ochre$a.d
// @role enter Ochre$a.e

import java.util.*;

/** A paint shop of three mixers whose monitor also guards the list of recipes. Obfuscated. */
public class Ochre {
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

    static class b {
        protected int a;

        protected boolean a() {
            return a < 3;
        }
    }

    static final class a extends b {
        private final LinkedHashMap<Integer, int[]> f = new LinkedHashMap<>();
        private int g;

        synchronized void b() throws InterruptedException {
            while (!a())
                wait();
            a += 1;
        }

        synchronized void c() {
            if (a == 0)
                throw new IllegalStateException();
            a -= 1;
            notify();
        }

        synchronized void d(int h, int i) {
            int[] j = f.get(h);
            if (j == null)
                f.put(h, j = new int[2]);
            j[0] += i;
            nap(1);
            j[1] += i;
            g += i;
        }

        synchronized int e() {
            int h = 0;
            for (int[] i : f.values()) {
                check(i[0] == i[1], "half a recipe");
                h += i[1];
            }
            nap(2);
            check(h == g, "sum");
            return h;
        }
    }

    static final java.util.concurrent.atomic.AtomicInteger k = new java.util.concurrent.atomic.AtomicInteger();

    static final class c implements Job {
        private final a a;

        c(a b) {
            a = b;
        }

        @Override
        public void run() throws Exception {
            a.b();
            try {
                check(k.incrementAndGet() <= 3, "four at three mixers");
                nap(rnd(3, 8));
                k.decrementAndGet();
            } finally {
                a.c();
            }
            nap(rnd(1, 3));
        }
    }

    static final class d implements Job {
        private final a a;
        private final boolean b;

        d(a c, boolean e) {
            a = c;
            b = e;
        }

        @Override
        public void run() {
            if (b)
                check(a.e() >= 0, "negative");
            else
                a.d(rnd(0, 9), 1);
            nap(rnd(3, 9));
        }
    }

    public static void main(String[] args) throws Exception {
        a l = new a();
        for (int i = 0; i < 5; i++)
            loop("m" + i, new c(l));
        for (int i = 0; i < 3; i++)
            loop("n" + i, new d(l, i == 2));
        supervise(args);
    }
}
