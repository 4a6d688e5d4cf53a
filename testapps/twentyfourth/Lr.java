// Offers and polls with time limits at a box for four, by threads that rest on an object of their own in between.
// @lock Lr$a
// @type PRODUCER-CONSUMER capacity=4
// @role put Lr$a.b
// @role take Lr$a.c
// @lock Lr$i
// @type DELAY
// @role delay Lr$e.g

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Lr {
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

    static final class a {
        private final ArrayDeque<Long> d = new ArrayDeque<>();

        synchronized boolean b(long v, long t) throws InterruptedException {
            long n = System.nanoTime() + t * 1_000_000L;
            while (d.size() >= 4) {
                long l = (n - System.nanoTime()) / 1_000_000L;
                if (l <= 0) {
                    return false;
                }
                wait(l);
            }
            d.add(v);
            notifyAll();
            return true;
        }

        synchronized long c(long t) throws InterruptedException {
            long n = System.nanoTime() + t * 1_000_000L;
            while (d.isEmpty()) {
                long l = (n - System.nanoTime()) / 1_000_000L;
                if (l <= 0) {
                    return -1;
                }
                wait(l);
            }
            long v = d.remove();
            notifyAll();
            return v;
        }
    }

    abstract static class e implements ia {
        private long h;

        abstract int f() throws InterruptedException;

        private synchronized void g(int m) throws InterruptedException {
            long u = System.currentTimeMillis() + m;
            for (long l = m; l > 0; l = u - System.currentTimeMillis()) {
                wait(l);
            }
            h++;
        }

        @Override
        public void af() throws InterruptedException {
            g(f());
        }
    }

    static final AtomicLong P = new AtomicLong();

    static final class i extends e {
        private final a j;

        i(a j) {
            this.j = j;
        }

        @Override
        int f() throws InterruptedException {
            for (int k = ae(5); k >= 0; k--) {
                P.incrementAndGet();
                if (!j.b(7L * ae(50), 30)) {
                    P.decrementAndGet();
                    return 9;
                }
            }
            return 4 + ae(16);
        }
    }

    static final class k extends e {
        private final a j;

        k(a j) {
            this.j = j;
        }

        @Override
        int f() throws InterruptedException {
            long v = j.c(20);
            if (v < 0) {
                return 2;
            }
            ac(v % 7 == 0, "value");
            ac(xb.incrementAndGet() <= P.get(), "count");
            return ae(40) == 0 ? 25 : 1 + ae(2);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        a j = new a();
        for (int n = 0; n < 2; n++) {
            aa("i" + n, new i(j));
            aa("k" + n, new k(j));
        }
        ad(args);
    }
}
