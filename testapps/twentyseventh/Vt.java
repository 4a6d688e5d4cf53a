// @lock Vt$b
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire Vt$b.a
// @role acquire Vt$b.b
// @role release Vt$b.c
//
// @lock Vt$c
// @type LOCK reentrant=false
// @role lock Vt$c.a
// @role unlock Vt$c.b

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

public class Vt {
    static volatile String d;
    static final AtomicLong e = new AtomicLong();

    static final class a {
        final AtomicInteger f = new AtomicInteger();
    }

    static final class b<T> {
        private final Deque<T> d = new ArrayDeque<>();
        private final Set<T> e = new HashSet<>();

        b(int n, Supplier<T> s) {
            for (int i = 0; i < n; i++) {
                d.push(s.get());
            }
        }

        synchronized T a() throws InterruptedException {
            while (d.isEmpty()) {
                wait();
            }
            return d();
        }

        synchronized T b(long m) throws InterruptedException {
            long u = System.nanoTime() + m * 1_000_000L;
            while (d.isEmpty()) {
                long r = (u - System.nanoTime()) / 1_000_000L;
                if (r <= 0) {
                    return null;
                }
                wait(r);
            }
            return d();
        }

        synchronized void c(T t) {
            if (!e.remove(t)) {
                throw new IllegalArgumentException();
            }
            d.push(t);
            notifyAll();
        }

        private T d() {
            T t = d.pop();
            e.add(t);
            return t;
        }
    }

    static final class c {
        private boolean d;

        synchronized void a() {
            boolean i = false;
            while (d) {
                try {
                    wait();
                } catch (InterruptedException z) {
                    i = true;
                }
            }
            d = true;
            if (i) {
                Thread.currentThread().interrupt();
            }
        }

        synchronized void b() {
            d = false;
            notify();
        }
    }

    static final b<a> f = new b<>(3, a::new);
    static final c g = new c();
    static int h;
    static int i;

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int j = 0; j < 6; j++) {
            final boolean k = j % 2 == 0;
            Thread t = new Thread(() -> {
                ThreadLocalRandom r = ThreadLocalRandom.current();
                try {
                    for (;;) {
                        a o = k ? f.a() : f.b(50);
                        if (o != null) {
                            if (o.f.incrementAndGet() != 1) {
                                d = "lent twice";
                            }
                            Thread.sleep(r.nextInt(4, 10));
                            o.f.decrementAndGet();
                            f.c(o);
                        }
                        g.a();
                        try {
                            h++;
                            Thread.sleep(r.nextInt(1, 3));
                            i++;
                            if (h != i) {
                                d = h + " is not " + i;
                            }
                        } finally {
                            g.b();
                        }
                        e.incrementAndGet();
                        Thread.sleep(r.nextInt(1, 5));
                    }
                } catch (InterruptedException | RuntimeException z) {
                    d = z.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long u = System.currentTimeMillis() + n * 1000L;
        while (System.currentTimeMillis() < u && d == null) {
            Thread.sleep(25);
        }
        System.out.println(d != null ? d : "DONE " + e.get());
        System.exit(d != null ? 1 : 0);
    }
}
