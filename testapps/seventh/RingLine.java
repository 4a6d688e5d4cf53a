// @lock RingLine$a
// @type PRODUCER-CONSUMER capacity=10
// @role put RingLine$a.b
// @role take RingLine$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A ring of ten between two stages, filled in bursts; woken only when it stops being empty or full. Obfuscated. */
public final class RingLine {
    static final class a<T> {
        private final Object[] d = new Object[10];
        private long e;
        private long f;

        synchronized void b(T g) throws InterruptedException {
            while (e - f == d.length) {
                wait();
            }
            d[(int) (e % d.length)] = g;
            if (e++ == f) {
                notifyAll();
            }
        }

        synchronized T c() throws InterruptedException {
            while (e == f) {
                wait();
            }
            int h = (int) (f % d.length);
            @SuppressWarnings("unchecked")
            T i = (T) d[h];
            d[h] = null;
            if (e - f++ == d.length) {
                notifyAll();
            }
            return i;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long j = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a<Integer> k = new a<>();
        AtomicLong l = new AtomicLong();
        AtomicLong m = new AtomicLong();
        AtomicInteger n = new AtomicInteger();
        AtomicLong o = new AtomicLong();
        Thread[] p = new Thread[5];
        for (int q = 0; q < p.length; q++) {
            int r = q;
            p[q] = new Thread(() -> {
                try {
                    while (r < 2 && n.get() == 0) {
                        for (int s = ThreadLocalRandom.current().nextInt(5, 20); s > 0; s--) {
                            k.b(s);
                            l.addAndGet(s);
                        }
                        Thread.sleep(ThreadLocalRandom.current().nextInt(8, 22));
                    }
                    for (int t; r >= 2 && (t = k.c()) > 0;) {
                        m.addAndGet(t);
                        o.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                    }
                } catch (InterruptedException u) {
                    n.set(2);
                }
            });
            p[q].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(j * 1000);
        n.compareAndSet(0, 1);
        p[0].join();
        p[1].join();
        for (int v = 2; v < p.length; v++) {
            k.b(0);
        }
        for (int w = 2; w < p.length; w++) {
            p[w].join();
        }
        if (n.get() != 1 || l.get() != m.get()) {
            throw new IllegalStateException(l + " in, " + m + " out");
        }
        System.out.println("DONE " + o);
    }
}
