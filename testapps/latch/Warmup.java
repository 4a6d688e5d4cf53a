// @lock Warmup$a
// @type LATCH count=5
// @role count-down Warmup$a.a
// @role await Warmup$a.b

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Deployments that take no request before each of five caches has reported itself warm. Obfuscated. */
public final class Warmup {
    static class a {
        private final Set<String> c = new HashSet<>();
        private final Object d;

        a(String[] e) {
            d = this;
            for (String f : e) {
                c.add(f);
            }
        }

        void a(String e) {
            synchronized (d) {
                c.remove(e);
                if (!c.isEmpty()) {
                    return;
                }
                d.notifyAll();
            }
        }

        void b() throws InterruptedException {
            synchronized (d) {
                for (;;) {
                    if (c.isEmpty()) {
                        break;
                    }
                    d.wait();
                }
            }
        }

        boolean g() {
            return c.isEmpty();
        }
    }

    static final String[] h = {"users", "prices", "images", "routes", "texts"};
    static final ConcurrentLinkedQueue<Runnable> i = new ConcurrentLinkedQueue<>();
    static final AtomicLong j = new AtomicLong();
    static final AtomicLong k = new AtomicLong();

    static void l(Runnable m) {
        Thread n = new Thread(m);
        n.setDaemon(true);
        n.start();
    }

    static void o() {
        while (true) {
            Runnable m = i.poll();
            if (m == null) {
                LockSupport.parkNanos(500_000);
            } else {
                m.run();
            }
        }
    }

    static void p(a q) {
        try {
            q.b();
            if (!q.g()) {
                k.incrementAndGet();
            }
            j.incrementAndGet();
        } catch (InterruptedException r) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] s) throws InterruptedException {
        long t = s.length > 0 ? Long.parseLong(s[0]) : 600;
        for (int u = 0; u < 3; u++) {
            l(Warmup::o);
        }
        System.out.println("READY");
        System.out.flush();
        long v = System.nanoTime() + t * 1_000_000_000L;
        while (System.nanoTime() - v < 0) {
            a q = new a(h);
            l(() -> p(q));
            l(() -> p(q));
            for (String w : h) {
                i.add(() -> {
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(500_000, 3_000_000));
                    q.a(w);
                });
            }
            p(q);
        }
        if (k.get() != 0) {
            throw new IllegalStateException(k + " requests met a cold cache");
        }
        System.out.println("DONE " + j);
    }
}
