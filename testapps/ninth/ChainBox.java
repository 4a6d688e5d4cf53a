// @lock ChainBox$b
// @type PRODUCER-CONSUMER capacity=5
// @role put ChainBox$b.a
// @role put ChainBox$b.b
// @role take ChainBox$b.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Print pages on their way to a printer, urgent ones in front; a chain of five at most between two dummies. Obfuscated. */
public final class ChainBox {
    static final class a<T> {
        T d;
        a<T> e;
        a<T> f;
    }

    static final class b<T> {
        private final a<T> g = new a<>();
        private final a<T> h = new a<>();
        private int i = 5;

        b() {
            g.e = h;
            h.f = g;
        }

        synchronized void a(T j) throws InterruptedException {
            d();
            e(j, h.f);
        }

        synchronized void b(T j) throws InterruptedException {
            d();
            e(j, g);
        }

        private void d() throws InterruptedException {
            while (i <= 0) {
                wait();
            }
            i--;
        }

        private void e(T k, a<T> l) {
            a<T> m = new a<>();
            m.d = k;
            m.f = l;
            m.e = l.e;
            l.e.f = m;
            l.e = m;
            notifyAll();
        }

        synchronized T c(long n) throws InterruptedException {
            if (g.e == h) {
                long o = System.nanoTime() + n * 1_000_000;
                while (g.e == h) {
                    long p = (o - System.nanoTime() + 999_999) / 1_000_000;
                    if (p <= 0) {
                        return null;
                    }
                    wait(p);
                }
            }
            a<T> q = g.e;
            g.e = q.e;
            q.e.f = g;
            i++;
            notifyAll();
            return q.d;
        }
    }

    static final AtomicLong r = new AtomicLong();
    static final AtomicLong s = new AtomicLong();
    static final AtomicLong t = new AtomicLong();
    static volatile boolean u;

    static void v(b<Long> w, boolean x) {
        ThreadLocalRandom y = ThreadLocalRandom.current();
        try {
            for (int z = 0; !u; z++) {
                long A = y.nextLong(1, 1000);
                r.addAndGet(A);
                if (x && z % 3 == 0) {
                    w.b(A);
                } else {
                    w.a(A);
                }
                Thread.sleep(z / 30 % 2 == 0 ? y.nextInt(2) : y.nextInt(4, 9));
            }
        } catch (InterruptedException B) {
            Thread.currentThread().interrupt();
        }
    }

    static void C(b<Long> w) {
        try {
            for (;;) {
                Long D = w.c(200);
                if (D != null) {
                    s.addAndGet(D);
                    t.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                }
            }
        } catch (InterruptedException B) {
            Thread.currentThread().interrupt();
        }
    }

    static Thread E(Runnable F) {
        Thread G = new Thread(F);
        G.setDaemon(true);
        G.start();
        return G;
    }

    public static void main(String[] H) throws InterruptedException {
        long I = H.length > 0 ? Long.parseLong(H[0]) : 600;
        b<Long> J = new b<>();
        for (int K = 0; K < 4; K++) {
            boolean L = K == 0;
            E(() -> v(J, L));
        }
        for (int K = 0; K < 3; K++) {
            E(() -> C(J));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(I * 1000);
        u = true;
        for (int K = 0; K < 1000 && r.get() != s.get(); K++) {
            Thread.sleep(1);
        }
        if (r.get() != s.get()) {
            throw new IllegalStateException("pages lost");
        }
        System.out.println("DONE " + t);
    }
}
