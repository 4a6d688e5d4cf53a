// @lock Zz$a
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Zz$a.b
// @role take Zz$a.a
//
// @lock Zz$b
// @type SEMAPHORE+CONDITION permits=4
// @role acquire Zz$b.a
// @role release Zz$b.b
// @role wait Zz$b.c
// @role notify Zz$b.b

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A road service: calls are taken by urgency, four tow trucks are out at most, and an inspector comes when all are in. */
public class Zz {
    static final class c {
        final int a;
        final long b;

        c(int a, long b) {
            this.a = a;
            this.b = b;
        }
    }

    static final class a extends PriorityQueue<c> {
        private static final long serialVersionUID = 1;

        a() {
            super(11, Comparator.<c>comparingInt(x -> x.a).thenComparingLong(x -> x.b));
        }

        c a(long ms) throws InterruptedException {
            synchronized (this) {
                long t = System.currentTimeMillis();
                while (isEmpty()) {
                    long l = t + ms - System.currentTimeMillis();
                    if (l <= 0) {
                        return null;
                    }
                    wait(l);
                }
                return poll();
            }
        }

        void b(c x) {
            synchronized (this) {
                offer(x);
                notify();
            }
        }
    }

    static final class b {
        private final Set<Integer> a = new LinkedHashSet<>();
        private int b;

        synchronized int a() throws InterruptedException {
            while (a.size() >= 4) {
                wait();
            }
            a.add(++b);
            return b;
        }

        synchronized void b(int k) {
            if (!a.remove(k)) {
                throw new IllegalArgumentException("not out: " + k);
            }
            notifyAll();
        }

        synchronized int c() throws InterruptedException {
            while (!a.isEmpty()) {
                wait();
            }
            return b;
        }
    }

    static final AtomicLong d = new AtomicLong();
    static final AtomicInteger e = new AtomicInteger();
    static volatile String f;

    static void g(a q) throws InterruptedException {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        for (int i = r.nextInt(1, 4); i > 0; i--) {
            q.b(new c(r.nextInt(5), d.get()));
        }
        Thread.sleep(r.nextInt(8, 20));
    }

    static void h(a q) throws InterruptedException {
        c x = q.a(200);
        if (x != null) {
            Thread.sleep(2 + x.a);
            d.incrementAndGet();
        }
    }

    static void i(b s) throws InterruptedException {
        int k = s.a();
        if (e.incrementAndGet() > 4) {
            f = "five out";
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
        e.decrementAndGet();
        s.b(k);
        d.incrementAndGet();
    }

    public static void main(String[] z) throws InterruptedException {
        int n = z.length > 0 ? Integer.parseInt(z[0]) : 600;
        a q = new a();
        b s = new b();
        for (int k = 0; k < 12; k++) {
            final int m = k;
            Thread t = new Thread(() -> {
                int o = 0;
                try {
                    while (f == null) {
                        if (m < 2) {
                            g(q);
                        } else if (m < 5) {
                            h(q);
                        } else if (m < 11) {
                            i(s);
                            Thread.sleep(25 - System.currentTimeMillis() % 25);
                        } else {
                            int p = s.c();
                            if (p < o) {
                                f = "backwards";
                            }
                            o = p;
                            Thread.sleep(3);
                        }
                    }
                } catch (InterruptedException | RuntimeException x) {
                    f = x.toString();
                }
            });
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long u = System.nanoTime() + n * 1_000_000_000L;
        while (f == null && System.nanoTime() < u) {
            Thread.sleep(40);
        }
        System.out.println(f == null ? "DONE " + d : f);
        System.exit(f == null ? 0 : 1);
    }
}
