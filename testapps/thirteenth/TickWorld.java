// A game world in ticks: four zone threads meet after each tick; bots look at the map while zones now and then change it.
//
// @lock TickWorld$c
// @type BARRIER parties=4
// @role arrive TickWorld$c.a
//
// @lock TickWorld$d
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock TickWorld$d.a
// @role read-unlock TickWorld$d.b
// @role write-lock TickWorld$d.c
// @role write-unlock TickWorld$d.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class TickWorld {
    static volatile String a;
    static final AtomicLong b = new AtomicLong();

    static class c {
        private final int a;
        private int b;
        private long c;

        c(int a) {
            this.a = a;
        }

        synchronized long a() throws InterruptedException {
            long g = c;
            if (++b < a) {
                do
                    wait();
                while (g == c);
                return g;
            }
            b = 0;
            c++;
            notifyAll();
            return g;
        }
    }

    static class d {
        private int a;
        private boolean b;

        synchronized void a() throws InterruptedException {
            while (b)
                wait();
            a++;
        }

        synchronized void b() {
            if (--a == 0)
                notifyAll();
        }

        synchronized void c() throws InterruptedException {
            while (b || a != 0)
                wait();
            b = true;
        }

        synchronized void d() {
            b = false;
            notifyAll();
        }
    }

    static final int[] e = new int[16];

    static void f(final c c, final d d, final int n) throws InterruptedException {
        for (long t = 0;; t++) {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            Thread.sleep(1 + r.nextInt(6));
            if (t % 4 == n) {
                d.c();
                int i = r.nextInt(e.length), j = r.nextInt(e.length);
                e[i] -= 7;
                Thread.sleep(3);
                e[j] += 7;
                d.d();
            }
            if (c.a() != t) {
                a = "tick " + t;
                return;
            }
            if (n == 0)
                b.incrementAndGet();
        }
    }

    static void g(d d) throws InterruptedException {
        for (;;) {
            d.a();
            int s = 0;
            for (int v : e)
                s += v;
            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(2));
            for (int v : e)
                s -= v;
            int u = 0;
            for (int v : e)
                u += v;
            d.b();
            if (s != 0 || u != 0)
                a = "half a change was seen";
            Thread.sleep(3 + ThreadLocalRandom.current().nextInt(8));
        }
    }

    interface h {
        void a() throws InterruptedException;
    }

    static void i(String n, final h h) {
        Thread t = new Thread(n) {
            @Override
            public void run() {
                try {
                    h.a();
                } catch (InterruptedException x) {
                    a = getName();
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final c c = new c(4);
        final d d = new d();
        for (int k = 0; k < 4; k++) {
            final int n = k;
            i("z" + k, () -> f(c, d, n));
        }
        for (int k = 0; k < 3; k++)
            i("b" + k, () -> g(d));
        System.out.println("READY");
        long end = System.nanoTime() + s * 1_000_000_000L, last = -1;
        int idle = 0;
        while (a == null && System.nanoTime() < end) {
            Thread.sleep(400);
            idle = b.get() == last ? idle + 1 : 0;
            if (idle > 25)
                a = "the world stands still";
            last = b.get();
        }
        if (a != null) {
            System.out.println("BROKEN " + a);
            System.exit(1);
        }
        System.out.println("DONE " + b.get());
    }
}
