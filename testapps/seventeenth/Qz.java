// @lock Qz$a
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire Qz$a.a
// @role release Qz$a.b
//
// @lock java.util.HashMap#a
// @type MUTEX
// @role enter Qz$c.a
// @role enter Qz$c.b

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Three sewing machines, given out by number; a tally of garments by customer. */
public class Qz {
    static class a {
        private int a = 7;
        private final b[] b = {new b(), new b(), new b()};

        final int a() throws InterruptedException {
            synchronized (this) {
                for (;;) {
                    int m = this.a;
                    if (m != 0) {
                        int i = Integer.numberOfTrailingZeros(m);
                        this.a = m & ~(1 << i);
                        return i;
                    }
                    this.wait();
                }
            }
        }

        final void b(int i) {
            synchronized (this) {
                if ((this.a & 1 << i) != 0) {
                    throw new IllegalStateException("twice " + i);
                }
                this.a |= 1 << i;
                this.notify();
            }
        }

        b c(int i) {
            return b[i];
        }
    }

    static class b {
        final AtomicInteger a = new AtomicInteger();

        void a(int n) throws InterruptedException {
            if (a.incrementAndGet() != 1) {
                throw new IllegalStateException("shared");
            }
            Thread.sleep(n);
            a.decrementAndGet();
        }
    }

    static class c {
        private final Map<Integer, Long> a = new HashMap<>();
        private long b;

        void a(int k, int v) throws InterruptedException {
            synchronized (a) {
                Long o = a.get(k);
                Thread.sleep(1);
                a.put(k, (o == null ? 0L : o) + v);
                b += v;
            }
        }

        boolean b() {
            synchronized (this.a) {
                long s = 0;
                for (long v : a.values()) {
                    s += v;
                }
                return s == b;
            }
        }
    }

    static volatile boolean d;
    static volatile String e;
    static final AtomicLong f = new AtomicLong();

    static class g extends Thread {
        private final a a;
        private final c b;
        private final int c;

        g(a a, c b, int c) {
            this.a = a;
            this.b = b;
            this.c = c;
        }

        @Override
        public void run() {
            Random r = new Random(c);
            try {
                while (!d) {
                    int i = a.a();
                    try {
                        a.c(i).a(2 + r.nextInt(6));
                    } finally {
                        a.b(i);
                    }
                    b.a(r.nextInt(9), 1 + r.nextInt(3));
                    if (c == 0 && !b.b()) {
                        e = "sum";
                    }
                    f.incrementAndGet();
                }
            } catch (Exception x) {
                e = x.toString();
            }
        }
    }

    public static void main(String[] z) throws InterruptedException {
        long n = z.length == 0 ? 600 : Long.parseLong(z[0]);
        a a = new a();
        c c = new c();
        g[] w = new g[6];
        for (int i = 0; i < w.length; i++) {
            w[i] = new g(a, c, i);
            w[i].start();
        }
        System.out.println("READY");
        for (long i = 0; i < n * 50 && e == null; i++) {
            Thread.sleep(20);
        }
        d = true;
        for (g t : w) {
            t.join(2000);
        }
        if (e != null) {
            System.out.println("FAILED " + e);
            System.exit(1);
        }
        System.out.println("DONE " + f);
    }
}
