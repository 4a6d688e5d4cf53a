// @lock Zx$a
// @type SEMAPHORE+MUTEX permits=3
// @role acquire Zx$a.a
// @role release Zx$a.b
// @role enter Zx$a.c
// @role enter Zx$a.d

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Three at a time; and, on the same monitor, a list that others add to and empty. */
public final class Zx {
    static final class a {
        private int e = 3;
        private final List<String> f = new ArrayList<>();

        synchronized void a() throws InterruptedException {
            while (e < 1) {
                wait();
            }
            --e;
        }

        synchronized void b() {
            ++e;
            notify();
        }

        synchronized void c(String g) throws InterruptedException {
            f.add(g);
            Thread.sleep(1);
        }

        synchronized int d() throws InterruptedException {
            int g = f.size();
            Thread.sleep(1);
            f.clear();
            return g;
        }
    }

    private static final a h = new a();
    private static final AtomicInteger i = new AtomicInteger();
    private static final AtomicLong j = new AtomicLong();
    private static final AtomicLong k = new AtomicLong();
    private static final AtomicLong l = new AtomicLong();
    private static volatile boolean m;
    private static volatile boolean n;

    private static void a() throws InterruptedException {
        h.a();
        try {
            n |= i.incrementAndGet() > 3;
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 10));
            i.decrementAndGet();
        } finally {
            h.b();
        }
        j.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
    }

    private static void b(int o) throws InterruptedException {
        if (o == 0) {
            k.addAndGet(h.d());
            Thread.sleep(11);
        } else {
            h.c("");
            l.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long o = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] p = new Thread[10];
        for (int q = 0; q < p.length; q++) {
            int r = q;
            p[q] = new Thread(() -> {
                try {
                    while (!m) {
                        if (r < 7) {
                            a();
                        } else {
                            b(r - 7);
                        }
                    }
                } catch (InterruptedException s) {
                    n = true;
                }
            });
            p[q].setDaemon(true);
            p[q].start();
        }
        System.out.println("READY");
        Thread.sleep(o * 1000);
        m = true;
        for (Thread s : p) {
            s.join(5_000);
        }
        if (n || k.get() + h.d() != l.get()) {
            throw new IllegalStateException(k + " " + l);
        }
        System.out.println("DONE " + j);
    }
}
