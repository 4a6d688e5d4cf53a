// Two pairs of threads that change a full list for an empty one, over and over; all sums go into one static total.
// @lock Mo$a
// @type BARRIER parties=2 form=exchanger
// @role arrive Mo$a.b
// @lock java.lang.Class#d
// @type MUTEX
// @role enter Mo$c.d
// @role enter Mo$c.e

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Mo {
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
        private List<Integer> x;
        private byte s;

        synchronized List<Integer> b(List<Integer> y) throws InterruptedException {
            while (s == 2) {
                wait();
            }
            List<Integer> z;
            if (s == 1) {
                z = x;
                x = y;
                s = 2;
                notifyAll();
                return z;
            }
            x = y;
            s = 1;
            while (s != 2) {
                wait();
            }
            z = x;
            x = null;
            s = 0;
            notifyAll();
            return z;
        }
    }

    static final class c {
        private static long t;
        private static int n;
        private static int m;

        static void d(int v) throws InterruptedException {
            synchronized (c.class) {
                t += v;
                n++;
                Thread.sleep(2);
                m++;
            }
        }

        static void e() throws InterruptedException {
            synchronized (c.class) {
                ac(n == m && t >= n, "total");
                Thread.sleep(2);
            }
        }
    }

    static final class f implements ia {
        private final a g;
        private List<Integer> h = new ArrayList<>();

        f(a g) {
            this.g = g;
        }

        @Override
        public void af() throws InterruptedException {
            for (int i = 0; i < 5; i++) {
                h.add(i + 1);
            }
            ab(4);
            h = g.b(h);
            ac(h.isEmpty(), "not empty");
        }
    }

    static final class k implements ia {
        private final a g;
        private List<Integer> h = new ArrayList<>();

        k(a g) {
            this.g = g;
        }

        @Override
        public void af() throws InterruptedException {
            h = g.b(h);
            int s = 0;
            for (int i : h) {
                s += i;
            }
            ac(s == 15, "not full");
            h.clear();
            c.d(s);
            ab(4);
            xb.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            a g = new a();
            aa("f" + i, new f(g));
            aa("k" + i, new k(g));
        }
        aa("e", () -> {
            ab(5);
            c.e();
        });
        ad(args);
    }
}
