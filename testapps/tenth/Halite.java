// @lock Halite$a
// @type PRODUCER-CONSUMER capacity=12
// @role put Halite$a.a
// @role take Halite$a.b
//
// @lock java.util.LinkedHashMap#a
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Halite$b.a
// @role take Halite$b.b

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Samples through a ring addressed by two counters that only grow, and changed keys that are merged until somebody takes them. Obfuscated. */
public final class Halite {
    static final class a {
        private final long[] a = new long[12];
        private long b;
        private long c;

        synchronized void a(long d) throws InterruptedException {
            while (c - b == a.length) {
                wait();
            }
            a[(int) (c++ % a.length)] = d;
            notifyAll();
        }

        synchronized long b() throws InterruptedException {
            while (c == b) {
                wait();
            }
            long d = a[(int) (b++ % a.length)];
            notifyAll();
            return d;
        }
    }

    static final class b {
        private final Map<String, Integer> a = new LinkedHashMap<>();

        void a(String b, int c) {
            synchronized (a) {
                if (a.merge(b, c, Integer::sum) == c) {
                    a.notify();
                }
            }
        }

        int b(int b) throws InterruptedException {
            synchronized (a) {
                while (a.isEmpty()) {
                    a.wait();
                }
                int c = 0;
                Iterator<Integer> d = a.values().iterator();
                for (int e = 0; e < b && d.hasNext(); e++) {
                    c += d.next();
                    d.remove();
                }
                return c;
            }
        }
    }

    private static final AtomicLong c = new AtomicLong();
    private static final AtomicLong d = new AtomicLong();
    private static final AtomicLong e = new AtomicLong();
    private static final AtomicLong f = new AtomicLong();
    private static final AtomicLong g = new AtomicLong();
    private static volatile String h;
    private static volatile boolean i;
    private static volatile boolean j;

    private static void a(int k) throws InterruptedException {
        Thread.sleep(k);
    }

    private static void b(a k) throws InterruptedException {
        if (i) {
            a(20);
            return;
        }
        a(ThreadLocalRandom.current().nextInt(12));
        for (int l = ThreadLocalRandom.current().nextInt(8); l >= 0; l--) {
            long m = c.incrementAndGet();
            d.addAndGet(m);
            k.a(m);
        }
    }

    private static void c(a k) throws InterruptedException {
        e.addAndGet(k.b());
        if (ThreadLocalRandom.current().nextBoolean()) {
            a(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    private static void d(b k) throws InterruptedException {
        a(ThreadLocalRandom.current().nextInt(1, 6));
        if (!i) {
            int l = ThreadLocalRandom.current().nextInt(1, 9);
            f.addAndGet(l);
            k.a("k" + ThreadLocalRandom.current().nextInt(300), l);
        }
    }

    private static void e(b k) throws InterruptedException {
        g.addAndGet(k.b(4));
        a(ThreadLocalRandom.current().nextInt(3));
    }

    interface c<a> {
        void a(a b) throws InterruptedException;
    }

    private static <a> void f(a k, c<a> l, int m) {
        for (int n = 0; n < m; n++) {
            Thread o = new Thread(() -> {
                try {
                    while (!j) {
                        l.a(k);
                    }
                } catch (InterruptedException p) {
                    h = "interrupted";
                }
            });
            o.setDaemon(true);
            o.start();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long k = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a l = new a();
        b n = new b();
        f(l, Halite::b, 4);
        f(l, Halite::c, 4);
        f(n, Halite::d, 3);
        f(n, Halite::e, 3);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(k * 1000);
        i = true;
        for (int o = 0; o < 500 && (d.get() != e.get() || f.get() != g.get()); o++) {
            Thread.sleep(10);
        }
        j = true;
        if (h == null && (d.get() != e.get() || f.get() != g.get())) {
            h = "something was put and not taken";
        }
        if (h != null) {
            throw new IllegalStateException(h);
        }
        System.out.println("DONE " + c);
    }
}
