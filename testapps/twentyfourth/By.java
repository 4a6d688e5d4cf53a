// A document under a lock that knows its owner; onlookers wait on the same monitor for the next edition. The printing
// is done by short threads whose end is awaited on a card.
// @lock By$a
// @type LOCK+CONDITION reentrant=true
// @role lock By$a.b
// @role unlock By$a.c
// @role wait By$a.d
// @role notify By$a.c
// @lock By$e
// @type JOIN
// @role join By$e.g

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class By {
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
        private Thread f;
        private int h;
        private int v;

        synchronized void b() throws InterruptedException {
            Thread t = Thread.currentThread();
            while (f != null && f != t) {
                wait();
            }
            f = t;
            h++;
        }

        synchronized void c() {
            if (f != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            h--;
            if (h == 0) {
                f = null;
                v++;
                notifyAll();
            }
        }

        synchronized int d(int s) throws InterruptedException {
            while (v <= s) {
                wait();
            }
            return v;
        }
    }

    static final class e implements Runnable {
        private final int i;
        private boolean z;
        int r;

        e(int i) {
            this.i = i;
        }

        @Override
        public void run() {
            try {
                ab(3);
                r = i + 1;
            } catch (InterruptedException x) {
                r = -1;
            }
            synchronized (this) {
                z = true;
                notifyAll();
            }
        }

        synchronized void g(long t) throws InterruptedException {
            long n = System.currentTimeMillis() + t;
            while (!z) {
                long l = n - System.currentTimeMillis();
                if (l <= 0) {
                    throw new IllegalStateException("late");
                }
                wait(l);
            }
        }
    }

    final a j = new a();
    int x;
    int y;

    void k() throws InterruptedException {
        j.b();
        try {
            x++;
            ab(2);
            l();
        } finally {
            j.c();
        }
        ab(10);
    }

    void l() throws InterruptedException {
        j.b();
        try {
            y++;
            ac(x == y, "edition");
        } finally {
            j.c();
        }
    }

    static final class m implements ia {
        private final By q;
        private int s;

        m(By q) {
            this.q = q;
        }

        @Override
        public void af() throws InterruptedException {
            int t = q.j.d(s);
            ac(t > s, "old");
            s = t;
            e p = new e(t);
            Thread u = new Thread(p);
            u.setDaemon(true);
            u.start();
            p.g(20_000);
            ac(p.r == t + 1, "print");
            xb.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        By q = new By();
        for (int i = 0; i < 3; i++) {
            aa("k" + i, q::k);
        }
        aa("m0", new m(q));
        aa("m1", new m(q));
        ad(args);
    }
}
