// @lock Qc$a
// @type SEMAPHORE permits=8
// @role acquire Qc$a.a
// @role release Qc$a.b
// @lock Qc$b
// @type PRODUCER-CONSUMER capacity=1
// @role put Qc$b.a
// @role take Qc$b.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public final class Qc {
    static final class a {
        private int a = 8;
        private int b;
        private int c;

        synchronized void a(int d) {
            int e = b++;
            boolean f = false;
            while (e != c || a < d) {
                try {
                    wait();
                } catch (InterruptedException g) {
                    f = true;
                }
            }
            a -= d;
            c++;
            notifyAll();
            if (f) {
                Thread.currentThread().interrupt();
            }
        }

        synchronized void b(int d) {
            a += d;
            notifyAll();
        }
    }

    enum d {
        a, b
    }

    static final class b {
        private d a = d.a;
        private long c;

        void a(long e) throws InterruptedException {
            synchronized (this) {
                a(d.a);
                c = e;
                a = d.b;
                notifyAll();
            }
        }

        long b() throws InterruptedException {
            synchronized (this) {
                a(d.b);
                a = d.a;
                notifyAll();
                return c;
            }
        }

        private void a(d e) throws InterruptedException {
            while (a != e) {
                wait();
            }
        }
    }

    private static final AtomicInteger a = new AtomicInteger();
    private static final AtomicLong b = new AtomicLong();
    private static final AtomicLong c = new AtomicLong();
    private static final AtomicLong o = new AtomicLong();
    private static volatile boolean e;
    private static volatile String f;

    private static void a(a g, b h, int i) {
        try {
            while (!e) {
                int j = 1 + ThreadLocalRandom.current().nextInt(4);
                g.a(j);
                if (a.addAndGet(j) > 8) {
                    f = "p";
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
                a.addAndGet(-j);
                g.b(j);
                b.addAndGet(j + i);
                h.a(j + i);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            }
        } catch (InterruptedException j) {
            f = "q";
        }
    }

    private static void a(b g) {
        try {
            for (long h; (h = g.b()) >= 0;) {
                c.addAndGet(h);
                o.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            }
        } catch (InterruptedException h) {
            f = "r";
        }
    }

    public static void main(String[] g) throws InterruptedException {
        long h = g.length > 0 ? Long.parseLong(g[0]) : 600;
        a i = new a();
        b j = new b();
        Thread[] k = new Thread[7];
        for (int l = 0; l < 7; l++) {
            int m = l;
            k[l] = new Thread(l < 6 ? () -> a(i, j, m) : () -> a(j));
            k[l].setDaemon(true);
            k[l].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(h * 1000);
        e = true;
        for (int l = 0; l < 6; l++) {
            k[l].join();
        }
        j.a(-1);
        k[6].join();
        if (f != null || b.get() != c.get()) {
            System.out.println(f + " " + b + " " + c);
            System.exit(1);
        }
        System.out.println("DONE " + o);
    }
}
