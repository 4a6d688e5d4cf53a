// @lock Flint$b
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put Flint$b.a
// @role take Flint$b.b
//
// @lock Flint$e
// @type BARRIER parties=2 form=exchanger
// @role arrive Flint$e.a

import java.util.*;

/** Telegrams left one at a time in a box, and two clerks who swap their ledgers whenever both have filled a page. Obfuscated. */
public class Flint {
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

    enum a { A, B }

    static final class b {
        private a c = a.A;
        private String d;

        void a(String e) throws InterruptedException {
            synchronized (this) {
                while (c != a.A)
                    wait();
                d = e;
                c = a.B;
                notifyAll();
            }
        }

        String b() throws InterruptedException {
            synchronized (this) {
                while (c != a.B)
                    wait();
                String e = d;
                d = null;
                c = a.A;
                notifyAll();
                return e;
            }
        }
    }

    static final class d {
        final int a;
        final List<Integer> b = new ArrayList<>();

        d(int c) {
            a = c;
        }
    }

    static final class e {
        private d b;
        private d c;
        private int f;

        synchronized d a(d g) throws InterruptedException {
            if (b == null) {
                b = g;
                final int h = f;
                while (h == f)
                    wait();
                d i = c;
                c = null;
                return i;
            }
            d i = b;
            b = null;
            c = g;
            f++;
            notifyAll();
            return i;
        }
    }

    static final class h extends Thread {
        private final e a;
        private d b;
        private final int c;

        h(e f, int g) {
            super("h" + g);
            setDaemon(true);
            a = f;
            b = new d(g);
            c = g;
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    int f = b.b.isEmpty() ? 0 : b.b.get(0);
                    check(b.b.isEmpty() || f != c, "own page back");
                    b.b.clear();
                    for (int g = 0; g < 5; g++)
                        b.b.add(c);
                    nap(rnd(1, 9));
                    d i = b;
                    b = a.a(i);
                    check(b != i, "own ledger back");
                    ops.incrementAndGet();
                }
            } catch (InterruptedException f) {
                broken = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            final b k = new b();
            for (int j = 0; j < 2; j++)
                loop("p" + i + j, () -> {
                    k.a("x" + rnd(0, 99));
                    nap(rnd(1, 8));
                });
            loop("c" + i, () -> {
                check(k.b().charAt(0) == 'x', "no telegram");
                nap(rnd(1, 4));
            });
            e m = new e();
            new h(m, 10 + i).start();
            new h(m, 20 + i).start();
        }
        supervise(args);
    }
}
