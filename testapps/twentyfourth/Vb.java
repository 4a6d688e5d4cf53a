// Four workers compute in rounds; the result of a round is fetched by two clerks as soon as all four parts are in.
// @lock Vb$b
// @type BARRIER parties=4
// @role arrive Vb$b.a
// @lock Vb$c
// @type LATCH count=4
// @role count-down Vb$c.a
// @role await Vb$c.b

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Vb {
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

    static final class b {
        private int n = 4;
        private Object g = new Object();

        synchronized boolean a() throws InterruptedException {
            Object m = g;
            if (--n == 0) {
                n = 4;
                g = new Object();
                notifyAll();
                return true;
            }
            while (m == g) {
                wait();
            }
            return false;
        }
    }

    static final class c {
        private int p = 0xF;
        private final long[] v = new long[4];

        synchronized void a(int i, long x) {
            v[i] = x;
            p &= ~(1 << i);
            if (p == 0) {
                notifyAll();
            }
        }

        synchronized long b() throws InterruptedException {
            while (p != 0) {
                wait();
            }
            return v[0] + v[1] + v[2] + v[3];
        }
    }

    final b d = new b();
    final ConcurrentHashMap<Integer, c> e = new ConcurrentHashMap<>();
    final int[] f = new int[4];

    c h(int r) {
        return e.computeIfAbsent(r, k -> new c());
    }

    void i(int w) throws InterruptedException {
        int r = f[w];
        ab(7);
        h(r).a(w, (long) r * (w + 1));
        f[w] = r + 1;
        if (d.a()) {
            for (int x : f) {
                ac(x == r + 1, "round");
            }
        }
        ab(2);
        if (d.a()) {
            xb.incrementAndGet();
        }
    }

    static final class j implements ia {
        private final Vb q;
        private int r;

        j(Vb q) {
            this.q = q;
        }

        @Override
        public void af() throws InterruptedException {
            ac(q.h(r).b() == 10L * r, "sum");
            q.e.remove(r - 400);
            r++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Vb q = new Vb();
        for (int i = 0; i < 4; i++) {
            int w = i;
            aa("w" + i, () -> q.i(w));
        }
        aa("k0", new j(q));
        aa("k1", new j(q));
        ad(args);
    }
}
