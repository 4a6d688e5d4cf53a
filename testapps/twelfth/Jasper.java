// @lock java.lang.Object#c
// @type BARRIER parties=3
// @role arrive Jasper$a.c
//
// @lock Jasper$d
// @type JOIN
// @role join java.lang.Thread.join

import java.util.*;

/** Three cutters in lock-step over a stone, and polishing jobs that are a thread each. Obfuscated. */
public class Jasper {
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
        private final int b;
        private int d;
        private boolean e;

        a(int f) {
            b = f;
            d = f;
        }

        boolean c(boolean f) throws InterruptedException {
            boolean g = !f;
            synchronized (a) {
                d--;
                if (d > 0) {
                    do {
                        a.wait();
                    } while (e != g);
                    return g;
                }
                d = b;
                e = g;
                a.notifyAll();
                return g;
            }
        }
    }

    static final class b extends Thread {
        private static final int[] a = new int[3];
        private final a b;
        private final int c;

        b(a d, int e) {
            super("b" + e);
            b = d;
            c = e;
            setDaemon(true);
        }

        @Override
        public void run() {
            boolean d = false;
            try {
                for (int e = 1;; e++) {
                    nap(rnd(1, 5));
                    a[c] = e;
                    d = b.c(d);
                    for (int f : a)
                        check(f == e, "out of step");
                    d = b.c(d);
                    ops.incrementAndGet();
                }
            } catch (InterruptedException e) {
                broken = "interrupted";
            }
        }
    }

    static final class d extends Thread {
        private final int a;
        int b;

        d(int c) {
            a = c;
        }

        @Override
        public void run() {
            nap(a);
            b = a * a;
        }
    }

    public static void main(String[] args) throws Exception {
        a k = new a(3);
        for (int i = 0; i < 3; i++)
            new b(k, i).start();
        for (int i = 0; i < 2; i++)
            loop("e" + i, () -> {
                List<d> l = new ArrayList<>();
                for (int j = 0; j < 3; j++) {
                    d m = new d(rnd(4, 16));
                    m.start();
                    l.add(m);
                }
                for (d m : l) {
                    m.join();
                    check(m.b == m.a * m.a, "not finished");
                }
                nap(2);
            });
        supervise(args);
    }
}
