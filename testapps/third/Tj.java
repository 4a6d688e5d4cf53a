// @lock Tj$a
// @type PRODUCER-CONSUMER capacity=4
// @role put Tj$a.a
// @role take Tj$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public final class Tj {
    static final class a {
        private final Object[] c = new Object[4];
        private int d = 4;

        public synchronized void a(Object e) {
            while (d <= 0) {
                try {
                    wait();
                } catch (InterruptedException f) {
                    return;
                }
            }
            c[--d] = e;
            notifyAll();
        }

        public synchronized Object b() {
            while (d >= c.length) {
                try {
                    wait();
                } catch (InterruptedException f) {
                    return null;
                }
            }
            Object e = c[d];
            c[d++] = null;
            notifyAll();
            return e;
        }
    }

    private static final AtomicLong g = new AtomicLong();
    private static final AtomicLong h = new AtomicLong();
    private static volatile boolean i;

    private static void a(a j) {
        while (!i) {
            for (int k = ThreadLocalRandom.current().nextInt(7); k >= 0; k--) {
                j.a(k);
                g.addAndGet(k);
            }
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(6, 16));
            } catch (InterruptedException l) {
                return;
            }
        }
    }

    private static void b(a j) {
        Object k;
        while ((k = j.b()) instanceof Integer) {
            h.addAndGet((Integer) k);
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(0, 4));
            } catch (InterruptedException l) {
                return;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long m = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a[] n = {new a(), new a()};
        Thread[] o = new Thread[4];
        Thread[] p = new Thread[4];
        for (int q = 0; q < 4; q++) {
            a r = n[q & 1];
            o[q] = new Thread(() -> a(r));
            p[q] = new Thread(() -> b(r));
            o[q].setDaemon(true);
            p[q].setDaemon(true);
            o[q].start();
            p[q].start();
        }
        System.out.println("READY");
        Thread.sleep(m * 1000);
        i = true;
        for (Thread s : o) {
            s.join(5_000);
        }
        Thread.sleep(200);
        for (int q = 0; q < 4; q++) {
            n[q & 1].a("");
        }
        for (Thread s : p) {
            s.join(5_000);
        }
        if (g.get() != h.get() || g.get() == 0) {
            throw new IllegalStateException(g + " " + h);
        }
        System.out.println("DONE " + h);
    }
}
