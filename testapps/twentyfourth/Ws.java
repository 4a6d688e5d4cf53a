// A register edited under a lock that lets its owner in again; others wait until enough has been entered.
// @lock Ws$a
// @type LOCK reentrant=true
// @role lock Ws$a.b
// @role unlock Ws$a.c
// @lock Ws$e
// @type CONDITION
// @role wait Ws$e.f
// @role notify Ws$e.g

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Ws {
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

    static class a {
        protected Thread t;
        protected long h;

        public void b() throws InterruptedException {
            Thread m = Thread.currentThread();
            synchronized (this) {
                if (t == m) {
                    h++;
                } else {
                    while (t != null) {
                        wait();
                    }
                    t = m;
                    h = 1;
                }
            }
        }

        public synchronized void c() {
            if (Thread.currentThread() != t) {
                throw new IllegalMonitorStateException("c");
            }
            if (--h == 0) {
                t = null;
                notify();
            }
        }
    }

    static final class e {
        private long v;

        synchronized long f(long w) throws InterruptedException {
            while (v < w) {
                wait();
            }
            return v;
        }

        synchronized void g(int d) {
            v += d;
            notifyAll();
        }

        synchronized long h() {
            return v;
        }
    }

    final a l = new a();
    final e s = new e();
    int x;
    int y;

    void i() throws InterruptedException {
        l.b();
        try {
            x++;
            ab(2);
            y++;
        } finally {
            l.c();
        }
    }

    void j() throws InterruptedException {
        l.b();
        try {
            ac(x == y, "entered in between");
            i();
            if (ae(3) == 0) {
                i();
            }
            ac(x == y, "left in between");
        } finally {
            l.c();
        }
        s.g(1 + ae(3));
        ab(5);
    }

    void k(int d) throws InterruptedException {
        long w = s.h() + d;
        ac(s.f(w) >= w, "too early");
        xb.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        Ws w = new Ws();
        for (int i = 0; i < 4; i++) {
            aa("e" + i, w::j);
        }
        aa("f0", () -> w.k(2));
        aa("f1", () -> w.k(5));
        aa("f2", () -> w.k(8));
        ad(args);
    }
}
