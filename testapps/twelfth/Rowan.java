// @lock Rowan$a
// @type LATCH+PRODUCER-CONSUMER count=1 capacity=2
// @role count-down Rowan$a.a
// @role await Rowan$a.b
// @role put Rowan$a.c
// @role take Rowan$a.d
//
// @lock Rowan$c
// @type SEMAPHORE form=rate-limiter
// @role acquire Rowan$c.a
// @role release Rowan$c.b

/** Short calls: both ends wait for the line to be connected, then talk through two words of room; new calls are rationed by a clock. Obfuscated. */
public class Rowan {
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
        private boolean e;
        private String f;
        private String g;

        synchronized void a() {
            e = true;
            notifyAll();
        }

        synchronized void b() throws InterruptedException {
            while (!e)
                wait();
        }

        synchronized void c(String h) throws InterruptedException {
            while (g != null)
                wait();
            if (f == null)
                f = h;
            else
                g = h;
            notifyAll();
        }

        synchronized String d() throws InterruptedException {
            while (f == null)
                wait();
            String h = f;
            f = g;
            g = null;
            notifyAll();
            return h;
        }
    }

    static final class c {
        private int d = 3;

        synchronized void a() throws InterruptedException {
            while (d <= 0)
                wait();
            d--;
        }

        synchronized void b() {
            if (d < 3) {
                d++;
                notify();
            }
        }
    }

    static final java.util.concurrent.ConcurrentLinkedQueue<a> f = new java.util.concurrent.ConcurrentLinkedQueue<>();
    static final java.util.concurrent.ConcurrentLinkedQueue<a> g = new java.util.concurrent.ConcurrentLinkedQueue<>();

    static void a(c h) throws InterruptedException {
        h.a();
        a i = new a();
        f.add(i);
        g.add(i);
        i.b();
        for (int j = 0; j < 8; j++) {
            if (j % 5 == 4)
                nap(2);
            i.c("w" + j);
        }
        i.c("end");
    }

    static void b() throws InterruptedException {
        a h = g.poll();
        if (h == null) {
            nap(1);
            return;
        }
        h.b();
        int i = 0;
        for (String j; !(j = h.d()).equals("end"); i++) {
            check(j.equals("w" + i), "word " + j + " at " + i);
            if (i % 3 == 0)
                nap(1);
        }
        check(i == 8, "words lost");
    }

    public static void main(String[] args) throws Exception {
        final c k = new c();
        for (int i = 0; i < 3; i++) {
            loop("s" + i, () -> a(k));
            loop("l" + i, () -> b());
        }
        loop("o", () -> {
            nap(rnd(2, 4));
            for (a h; (h = f.poll()) != null;)
                h.a();
        });
        loop("k", () -> {
            nap(8);
            k.b();
        });
        supervise(args);
    }
}
