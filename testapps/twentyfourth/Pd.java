// Two masters split a job among three threads of their own each time, await their ends and queue what came out.
// @lock Pd$b
// @type JOIN
// @role join Pd$b.c
// @lock Pd$d
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Pd$d.a
// @role take Pd$d.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Pd {
    static volatile String xa;
    static final AtomicLong xb = new AtomicLong();

    interface ia {
        void af() throws InterruptedException;
    }

    static void aa(String name, ia step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.af();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                xa = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void ab(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int ae(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void ac(boolean ok, String what) {
        if (!ok) {
            xa = "BROKEN " + what;
        }
    }

    static void ad(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (xa == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (xa != null) {
            System.out.println(xa);
            System.exit(1);
        }
        System.out.println("DONE " + xb.get());
        System.exit(0);
    }

    static final class b extends Thread {
        private final int a;
        private int r = -1;
        private boolean e;

        b(int a) {
            this.a = a;
            setDaemon(true);
        }

        @Override
        public void run() {
            int x = 0;
            try {
                ab(14);
                x = a * 3;
            } catch (InterruptedException y) {
                x = -2;
            } finally {
                r = x;
                d();
            }
        }

        private synchronized void d() {
            e = true;
            notifyAll();
        }

        synchronized int c() throws InterruptedException {
            while (!e) {
                wait();
            }
            return r;
        }
    }

    static final class d {
        private static final class e {
            final int v;
            e n;

            e(int v) {
                this.v = v;
            }
        }

        private e h;
        private e t;

        void a(int v) {
            e x = new e(v);
            synchronized (this) {
                if (t == null) {
                    h = x;
                } else {
                    t.n = x;
                }
                t = x;
                notify();
            }
        }

        int b() throws InterruptedException {
            synchronized (this) {
                while (h == null) {
                    wait();
                }
                e x = h;
                h = x.n;
                if (h == null) {
                    t = null;
                }
                return x.v;
            }
        }
    }

    final d q = new d();

    void f() throws InterruptedException {
        int s = ae(100);
        b[] w = new b[3];
        for (int i = 0; i < w.length; i++) {
            w[i] = new b(s + i);
            w[i].start();
        }
        int m = 0;
        for (b x : w) {
            m += x.c();
        }
        ac(m == 9 * s + 9, "join " + m);
        q.a(m);
        ab(10);
    }

    public static void main(String[] args) throws InterruptedException {
        Pd p = new Pd();
        aa("m0", p::f);
        aa("m1", p::f);
        for (int i = 0; i < 2; i++) {
            aa("c" + i, () -> {
                ac(p.q.b() % 9 == 0, "queue");
                xb.incrementAndGet();
                ab(3);
            });
        }
        ad(args);
    }
}
