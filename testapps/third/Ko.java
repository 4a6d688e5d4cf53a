// @lock Ko$a
// @type CONDITION
// @role wait Ko$a.a
// @role notify Ko$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A position that only grows; followers wait until it has come as far as they need. */
public final class Ko {
    static final class a {
        private long c;
        private int d;

        long a(long e) throws InterruptedException {
            synchronized (this) {
                if (c < e) {
                    d++;
                    try {
                        do {
                            wait();
                        } while (c < e);
                    } finally {
                        d--;
                    }
                }
                return c;
            }
        }

        void b(long e) {
            synchronized (this) {
                if (e > c) {
                    c = e;
                    if (d > 0) {
                        notifyAll();
                    }
                }
            }
        }
    }

    private final a f = new a();
    private final AtomicLong g = new AtomicLong();
    private final AtomicLong h = new AtomicLong();
    private volatile boolean i;
    private volatile boolean j;

    private void a() {
        try {
            while (!i) {
                f.b(g.addAndGet(ThreadLocalRandom.current().nextInt(1, 5)));
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            }
        } catch (InterruptedException k) {
            j = true;
        }
    }

    private void b() {
        try {
            while (!i) {
                long k = g.get() + ThreadLocalRandom.current().nextInt(0, 12);
                if (f.a(k) < k) {
                    j = true;
                }
                h.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(0, 4));
            }
        } catch (InterruptedException k) {
            j = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long k = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Ko l = new Ko();
        Thread[] m = new Thread[6];
        for (int n = 0; n < m.length; n++) {
            m[n] = new Thread(n < 2 ? l::a : (Runnable) l::b);
            m[n].setDaemon(true);
            m[n].start();
        }
        System.out.println("READY");
        Thread.sleep(k * 1000);
        l.i = true;
        for (Thread o : m) {
            o.join(20);
        }
        l.f.b(Long.MAX_VALUE);
        for (Thread o : m) {
            o.join(5_000);
        }
        if (l.j || l.h.get() == 0) {
            throw new IllegalStateException("j");
        }
        System.out.println("DONE " + l.h);
    }
}
