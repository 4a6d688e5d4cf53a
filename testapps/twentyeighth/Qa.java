// @lock java.lang.Object#a
// @type PRODUCER-CONSUMER capacity=5
// @role put Qa$b.a
// @role take Qa$b.b
// @lock Qa$c
// @type SEMAPHORE permits=2
// @role acquire Qa$c.c
// @role release Qa$c.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public final class Qa {
    static final class a {
        final int a;
        final long b;
        a c;

        a(int a, long b) {
            this.a = a;
            this.b = b;
        }
    }

    // linked queue with a monitor for those who put, one for those who take, and this for the links
    static final class b {
        private final Object a = new Object();
        private final Object b = new Object();
        private final int c;
        private a d;
        private a e;
        private int f;

        b(int c) {
            this.c = c;
        }

        private synchronized boolean e(a x) {
            if (f == c) {
                return false;
            }
            if (d == null) {
                d = x;
            } else {
                e.c = x;
            }
            e = x;
            f++;
            return true;
        }

        private synchronized a f() {
            a x = d;
            if (x != null) {
                d = x.c;
                f--;
            }
            return x;
        }

        void a(a x) throws InterruptedException {
            synchronized (a) {
                while (!e(x)) {
                    a.wait();
                }
            }
            synchronized (b) {
                b.notify();
            }
        }

        a b() throws InterruptedException {
            a x;
            synchronized (b) {
                while ((x = f()) == null) {
                    b.wait();
                }
            }
            synchronized (a) {
                a.notify();
            }
            return x;
        }
    }

    static final class c {
        private int a = 0;

        synchronized void c() throws InterruptedException {
            while (a >= 2) {
                wait();
            }
            ++a;
        }

        synchronized void d() {
            --a;
            notify();
        }
    }

    private static final b g = new b(5);
    private static final c h = new c();
    private static final AtomicInteger i = new AtomicInteger();
    private static final AtomicLong j = new AtomicLong();
    private static final AtomicLong k = new AtomicLong();
    private static volatile String l;
    private static volatile boolean m;

    private static void a(int n) {
        try {
            for (long o = 1; !m;) {
                int p = ThreadLocalRandom.current().nextInt(1, 9);
                for (int q = 0; q < p; q++) {
                    g.a(new a(n, o++));
                    j.incrementAndGet();
                }
                Thread.sleep(4 * p + 10);
            }
        } catch (InterruptedException e) {
            l = "i";
        }
    }

    private static void b() {
        long[] n = new long[4];
        try {
            for (;;) {
                a o = g.b();
                if (o.b <= n[o.a]) {
                    l = "order";
                }
                n[o.a] = o.b;
                h.c();
                try {
                    if (i.incrementAndGet() > 2) {
                        l = "three";
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    i.decrementAndGet();
                } finally {
                    h.d();
                }
                k.incrementAndGet();
            }
        } catch (InterruptedException e) {
            return;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long n = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] o = new Thread[4];
        for (int p = 0; p < 4; p++) {
            int q = p;
            o[p] = new Thread(() -> a(q));
            o[p].setDaemon(true);
            o[p].start();
            Thread r = new Thread(Qa::b);
            r.setDaemon(true);
            r.start();
        }
        System.out.println("READY");
        Thread.sleep(n * 1000);
        m = true;
        for (Thread p : o) {
            p.join(10_000);
        }
        for (int p = 0; p < 500 && k.get() < j.get(); p++) {
            Thread.sleep(20);
        }
        if (l != null || k.get() != j.get()) {
            System.out.println(l + " " + j + " " + k);
            System.exit(1);
        }
        System.out.println("DONE " + k);
    }
}
