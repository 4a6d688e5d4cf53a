// @lock PartSum$b
// @type JOIN
// @role join PartSum$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that mark their own end as their last act; who has started them waits for the mark, with a limit. Obfuscated. */
public final class PartSum {
    abstract static class a extends Thread {
        private boolean d;

        abstract void e() throws InterruptedException;

        @Override
        public final void run() {
            try {
                e();
            } catch (InterruptedException f) {
                interrupt();
            } finally {
                g();
            }
        }

        private synchronized void g() {
            d = true;
            notifyAll();
        }

        final boolean c(long h) throws InterruptedException {
            synchronized (this) {
                long i = System.currentTimeMillis() + h;
                while (!d) {
                    long j = i - System.currentTimeMillis();
                    if (j <= 0) {
                        return false;
                    }
                    wait(j);
                }
                return true;
            }
        }
    }

    static final class b extends a {
        private final int k;
        private final int l;
        private long m;

        b(int k, int l) {
            this.k = k;
            this.l = l;
        }

        @Override
        void e() throws InterruptedException {
            for (int n = k; n < l; n++) {
                m += n;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
        }
    }

    private static void o(AtomicLong p, AtomicLong q) {
        try {
            while (true) {
                b[] r = new b[3];
                for (int s = 0; s < r.length; s++) {
                    r[s] = new b(s * 100, s * 100 + 100);
                    r[s].setDaemon(true);
                    r[s].start();
                }
                long t = 0;
                for (b u : r) {
                    if (!u.c(10_000)) {
                        q.incrementAndGet();
                    }
                    t += u.m;
                }
                if (t != 299 * 150) {
                    q.incrementAndGet();
                }
                p.incrementAndGet();
            }
        } catch (InterruptedException v) {
            q.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long w = args.length > 0 ? Long.parseLong(args[0]) : 600;
        AtomicLong x = new AtomicLong();
        AtomicLong y = new AtomicLong();
        for (int z = 0; z < 2; z++) {
            Thread t = new Thread(() -> o(x, y));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(w * 1000);
        if (y.get() != 0) {
            throw new IllegalStateException("a part was lost");
        }
        System.out.println("DONE " + x);
    }
}
