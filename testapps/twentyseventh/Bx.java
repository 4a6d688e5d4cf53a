// @lock Bx$a
// @type PRODUCER-CONSUMER capacity=5
// @role put Bx$a.a
// @role take Bx$a.b
//
// @lock Bx$c
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Bx$c.a
// @role take Bx$c.b

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

public class Bx {
    static volatile String e;
    static final AtomicLong f = new AtomicLong();

    static final class a<T> {
        private final Object[] g;
        private long h;
        private long i;

        a(int n) {
            g = new Object[n];
        }

        synchronized void a(T t) throws InterruptedException {
            while (h - i == g.length) {
                wait();
            }
            g[(int) (h++ % g.length)] = t;
            notifyAll();
        }

        @SuppressWarnings("unchecked")
        synchronized T b() throws InterruptedException {
            while (h == i) {
                wait();
            }
            int k = (int) (i++ % g.length);
            T t = (T) g[k];
            g[k] = null;
            notifyAll();
            return t;
        }
    }

    static final class b<T> {
        final T a;
        b<T> b;

        b(T a) {
            this.a = a;
        }
    }

    static final class c<T> {
        private b<T> d;
        private b<T> e;

        void a(T t) {
            b<T> n = new b<>(t);
            synchronized (this) {
                if (e == null) {
                    d = n;
                } else {
                    e.b = n;
                }
                e = n;
                notify();
            }
        }

        T b() throws InterruptedException {
            synchronized (this) {
                while (d == null) {
                    wait();
                }
                T t = d.a;
                d = d.b;
                if (d == null) {
                    e = null;
                }
                return t;
            }
        }
    }

    static final a<long[]> k = new a<>(5);
    static final c<long[]> l = new c<>();
    static final AtomicLongArray m = new AtomicLongArray(2);

    interface d {
        void a() throws InterruptedException;
    }

    static void a(String s, d r) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    r.a();
                }
            } catch (InterruptedException | RuntimeException z) {
                e = z.toString();
            }
        }, s);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int j = 0; j < 2; j++) {
            final int p = j;
            final long[] q = {0};
            a("s" + j, () -> {
                for (int o = 0; o < 9; o++) {
                    k.a(new long[] {p, ++q[0]});
                }
                Thread.sleep(45);
            });
        }
        for (int j = 0; j < 2; j++) {
            a("m" + j, () -> {
                long[] v = k.b();
                Thread.sleep(1);
                l.a(v);
            });
        }
        final long[] w = new long[2];
        a("d", () -> {
            long[] v = l.b();
            w[(int) v[0]]++;
            m.set((int) v[0], v[1]);
            if (Math.abs(v[1] - w[(int) v[0]]) > 500) {
                e = "lost or doubled " + v[1] + " at " + w[(int) v[0]];
            }
            f.incrementAndGet();
        });
        System.out.println("READY");
        long u = System.currentTimeMillis() + n * 1000L;
        while (System.currentTimeMillis() < u && e == null) {
            Thread.sleep(25);
        }
        System.out.println(e != null ? e : "DONE " + f.get());
        System.exit(e != null ? 1 : 0);
    }
}
