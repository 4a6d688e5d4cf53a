// @lock Q7$a
// @type SEMAPHORE permits=3
// @role acquire Q7$a.a
// @role acquire Q7$a.b
// @role release Q7$a.c
// @lock Q7$c
// @type DELAY
// @role delay Q7$c.a

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Toll plaza with three lanes (one bit each); a barrier arm takes its time to move. */
public class Q7 {
    static final AtomicLong e = new AtomicLong();
    static final AtomicInteger f = new AtomicInteger();
    static volatile String g;

    static class a {
        private final Object a = new b();
        private int b = 0b111;

        int a() throws InterruptedException {
            synchronized (this) {
                while (b == 0) {
                    wait();
                }
                return c();
            }
        }

        int b(int ms) throws InterruptedException {
            long t = System.currentTimeMillis() + ms;
            synchronized (this) {
                while (b == 0) {
                    long r = t - System.currentTimeMillis();
                    if (r <= 0) {
                        return 0;
                    }
                    wait(r);
                }
                return c();
            }
        }

        private int c() {
            int x = b & -b;
            b ^= x;
            return x;
        }

        void c(int x) {
            synchronized (this) {
                if ((b & x) != 0) {
                    g = a + " freed twice";
                }
                b |= x;
                notifyAll();
            }
        }
    }

    static class b {
        @Override
        public String toString() {
            return "lane";
        }
    }

    static class c {
        private long a;

        synchronized void a(int n) throws InterruptedException {
            long s = System.nanoTime();
            long d = n * 1000000L;
            for (long w = d; w > 0; w = d - (System.nanoTime() - s)) {
                wait(w / 1000000L, (int) (w % 1000000L));
            }
            a++;
        }
    }

    static class d extends Thread {
        private final a a;
        private final c b = new c();
        private final int c;
        private final AtomicInteger[] d;

        d(a a, int c, AtomicInteger[] d) {
            this.a = a;
            this.c = c;
            this.d = d;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (g == null) {
                    int l = (c & 1) == 0 ? a.a() : a.b(25);
                    if (l == 0) {
                        f.incrementAndGet();
                        continue;
                    }
                    AtomicInteger k = d[Integer.numberOfTrailingZeros(l)];
                    if (k.incrementAndGet() != 1) {
                        g = "two in a lane";
                    }
                    b.a(3 + c % 3);
                    k.decrementAndGet();
                    a.c(l);
                    e.incrementAndGet();
                    Thread.sleep(2);
                }
            } catch (InterruptedException x) {
                g = "interrupted";
            }
        }
    }

    public static void main(String[] z) throws Exception {
        int s = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        a a = new a();
        AtomicInteger[] q = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        for (int i = 0; i < 7; i++) {
            new d(a, i, q).start();
        }
        System.out.println("READY");
        long t = System.nanoTime() + s * 1000000000L;
        while (System.nanoTime() < t && g == null) {
            Thread.sleep(20);
        }
        if (g != null) {
            System.out.println(g);
            System.exit(1);
        }
        System.out.println("DONE " + e);
        System.exit(0);
    }
}
