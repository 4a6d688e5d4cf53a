// Laboratory benches given out by number (a bit mask), and the key of the store room with its keeper.
// @lock Kq$a
// @type SEMAPHORE permits=3
// @role acquire Kq$a.a
// @role acquire Kq$a.b
// @role release Kq$a.c
// @lock Kq$d
// @type LOCK reentrant=false
// @role lock Kq$d.a
// @role unlock Kq$d.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

public class Kq {
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
        private int m;

        private int z() {
            for (int i = 0; i < 3; i++) {
                if ((m & 1 << i) == 0) {
                    m |= 1 << i;
                    return i;
                }
            }
            return -1;
        }

        synchronized int a() throws InterruptedException {
            while (m == 7) {
                wait();
            }
            return z();
        }

        synchronized int b(long t) throws InterruptedException {
            long e = System.currentTimeMillis() + t;
            while (m == 7) {
                long l = e - System.currentTimeMillis();
                if (l <= 0) {
                    return -1;
                }
                wait(l);
            }
            return z();
        }

        synchronized void c(int i) {
            m &= ~(1 << i);
            notifyAll();
        }
    }

    static final class d {
        private Thread o;

        void a() throws InterruptedException {
            synchronized (this) {
                while (o != null) {
                    wait();
                }
                o = Thread.currentThread();
            }
        }

        void b() {
            synchronized (this) {
                if (o != Thread.currentThread()) {
                    throw new IllegalStateException();
                }
                o = null;
                notify();
            }
        }
    }

    final a f = new a();
    final d g = new d();
    final AtomicIntegerArray h = new AtomicIntegerArray(3);
    int j;

    void k(boolean t) throws InterruptedException {
        int i = t ? f.b(12) : f.a();
        if (i < 0) {
            ab(2);
            return;
        }
        ac(h.incrementAndGet(i) == 1, "bench");
        ab(12);
        h.decrementAndGet(i);
        f.c(i);
        ab(2);
    }

    void l() throws InterruptedException {
        g.a();
        try {
            int v = ++j;
            ab(2);
            ac(j == v, "key");
        } finally {
            g.b();
        }
        xb.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        Kq q = new Kq();
        for (int i = 0; i < 6; i++) {
            boolean t = i % 3 == 2;
            aa("t" + i, () -> {
                q.k(t);
                q.l();
                ab(3);
            });
        }
        ad(args);
    }
}
