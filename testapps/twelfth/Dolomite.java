// @lock Dolomite$a
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire Dolomite$a.b
// @role release Dolomite$a.c
//
// @lock Dolomite$d
// @type DELAY
// @role delay Dolomite$d.a

import java.util.*;

/** Four scratch buffers lent to seven encoders, and pacing threads that wait on themselves. Obfuscated. */
public class Dolomite {
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
        private final byte[][] a = new byte[4][];
        private int d = 15;

        a() {
            for (int b = 0; b < a.length; b++)
                a[b] = new byte[64];
        }

        byte[] b() throws InterruptedException {
            synchronized (this) {
                while (d == 0)
                    wait();
                int e = Integer.numberOfTrailingZeros(d);
                d ^= 1 << e;
                return a[e];
            }
        }

        void c(byte[] f) {
            synchronized (this) {
                for (int e = 0; e < a.length; e++)
                    if (a[e] == f) {
                        check((d & 1 << e) == 0, "given back twice");
                        d |= 1 << e;
                        notify();
                        return;
                    }
            }
            throw new IllegalArgumentException("not ours");
        }
    }

    abstract static class c implements Job {
        abstract long b();

        abstract void e() throws Exception;
    }

    static class d extends c {
        private final int f;
        private long g;

        d(int h) {
            f = h;
        }

        @Override
        long b() {
            return f + (g & 3);
        }

        @Override
        void e() {
            g++;
        }

        final synchronized void a() throws InterruptedException {
            long h = System.nanoTime() + b() * 1000000L;
            long i;
            while ((i = h - System.nanoTime()) > 0)
                wait(i / 1000000L, (int) (i % 1000000L));
        }

        @Override
        public void run() throws Exception {
            long h = System.nanoTime();
            long j = b();
            a();
            check(System.nanoTime() - h >= j * 1000000L, "too early");
            e();
        }
    }

    static final class e implements Job {
        private final a a;
        private final byte b;

        e(a c, int d) {
            a = c;
            b = (byte) d;
        }

        @Override
        public void run() throws Exception {
            byte[] c = a.b();
            try {
                Arrays.fill(c, b);
                nap(rnd(2, 6));
                for (byte d : c)
                    check(d == b, "shared buffer");
            } finally {
                a.c(c);
            }
            nap(rnd(1, 2));
        }
    }

    public static void main(String[] args) throws Exception {
        a k = new a();
        for (int i = 0; i < 7; i++)
            loop("e" + i, new e(k, i + 1));
        loop("p", new d(5));
        loop("q", new d(8));
        supervise(args);
    }
}
