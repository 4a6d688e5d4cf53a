// Jobs by urgency from several desks for two machines; a machine's tool is shared under a lock one may enter again.
// @lock Dj$a
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Dj$a.c
// @role take Dj$a.d
// @lock java.lang.Object#d
// @type LOCK reentrant=true
// @role lock Dj$e.c
// @role lock Dj$e.d
// @role unlock Dj$e.f

import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Dj {
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

    static final class b implements Comparable<b> {
        final int p;
        final long n;

        b(int p, long n) {
            this.p = p;
            this.n = n;
        }

        @Override
        public int compareTo(b o) {
            return p != o.p ? Integer.compare(p, o.p) : Long.compare(n, o.n);
        }
    }

    static final class a {
        private final PriorityQueue<b> q = new PriorityQueue<>();
        private long s;
        private int w;

        synchronized void c(int p) {
            q.add(new b(p, s++));
            if (w > 0) {
                notify();
            }
        }

        synchronized b d() throws InterruptedException {
            while (q.isEmpty()) {
                w++;
                try {
                    wait();
                } finally {
                    w--;
                }
            }
            return q.poll();
        }
    }

    static final class e {
        private final Object g = new Object();
        private long o = -1;
        private int h;

        boolean c(long t) throws InterruptedException {
            long i = Thread.currentThread().getId();
            synchronized (g) {
                if (o != i) {
                    long u = System.currentTimeMillis() + t;
                    while (h > 0) {
                        long l = u - System.currentTimeMillis();
                        if (l <= 0) {
                            return false;
                        }
                        g.wait(l);
                    }
                    o = i;
                }
                h++;
                return true;
            }
        }

        void d() throws InterruptedException {
            long i = Thread.currentThread().getId();
            synchronized (g) {
                while (h > 0 && o != i) {
                    g.wait();
                }
                o = i;
                h++;
            }
        }

        void f() {
            synchronized (g) {
                if (o != Thread.currentThread().getId() || h == 0) {
                    throw new IllegalMonitorStateException();
                }
                if (--h == 0) {
                    o = -1;
                    g.notifyAll();
                }
            }
        }
    }

    final a j = new a();
    final e k = new e();
    int x;
    int y;

    void l() throws InterruptedException {
        b m = j.d();
        ac(m.p >= 0 && m.p < 5, "job");
        k.d();
        try {
            x++;
            ab(3);
            if (k.c(5)) {
                y++;
                k.f();
            } else {
                ac(false, "own lock refused");
            }
        } finally {
            k.f();
        }
        xb.incrementAndGet();
    }

    void n() throws InterruptedException {
        ab(3);
        if (k.c(6)) {
            try {
                ac(x == y, "tool");
                ab(2);
            } finally {
                k.f();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Dj d = new Dj();
        for (int i = 0; i < 3; i++) {
            aa("c" + i, () -> {
                Thread.sleep(24 + ae(20));
                d.j.c(ae(5));
                if (ae(6) == 0) {
                    d.j.c(0);
                    d.j.c(4);
                }
            });
        }
        aa("l0", d::l);
        aa("l1", d::l);
        aa("n0", d::n);
        aa("n1", d::n);
        ad(args);
    }
}
