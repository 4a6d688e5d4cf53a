// Three-handed games in rounds, two tables; the scores are kept under the monitor that the round ends on.
// @lock Jt$a
// @type BARRIER+MUTEX parties=3
// @role arrive Jt$a.b
// @role enter Jt$a.c
// @role enter Jt$a.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Jt {
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
        private int n;
        private long r;
        private final int[] s = new int[3];
        private int u;

        long b() throws InterruptedException {
            synchronized (this) {
                long m = r;
                n++;
                if (n < 3) {
                    while (m == r) {
                        wait();
                    }
                } else {
                    n = 0;
                    r++;
                    notifyAll();
                }
                return m;
            }
        }

        void c(int i, int p) throws InterruptedException {
            synchronized (this) {
                s[i] += p;
                Thread.sleep(1);
                u += p;
            }
        }

        int d() throws InterruptedException {
            synchronized (this) {
                int x = 0;
                for (int p : s) {
                    x += p;
                }
                ac(x == u, "score");
                Thread.sleep(1);
                return x;
            }
        }
    }

    static final class e implements ia {
        private final a t;
        private final int i;
        private long k;

        e(a t, int i) {
            this.t = t;
            this.i = i;
        }

        @Override
        public void af() throws InterruptedException {
            ab(4);
            for (int j = ae(3); j >= 0; j--) {
                t.c(i, ae(7));
            }
            ab(3);
            ac(t.b() == k, "round");
            k++;
            xb.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int j = 0; j < 2; j++) {
            a t = new a();
            for (int i = 0; i < 3; i++) {
                aa("p" + j + i, new e(t, i));
            }
            aa("s" + j, () -> {
                ab(8);
                t.d();
            });
        }
        ad(args);
    }
}
