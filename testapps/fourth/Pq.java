// @lock Pq$a
// @type LATCH count=1 form=future
// @role await Pq$a.a
// @role await Pq$a.b
// @role count-down Pq$a.c
// @role count-down Pq$a.d

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A remote call whose answer is a promise, kept or broken once. Obfuscated. */
public final class Pq {
    static final class a<T> {
        private static final Object e = new Object();
        private Object f = e;
        private Throwable g;
        final int h;

        a(int h) {
            this.h = h;
        }

        @SuppressWarnings("unchecked")
        synchronized T a() throws InterruptedException {
            while (f == e) {
                wait();
            }
            if (g != null) {
                throw new IllegalArgumentException(g);
            }
            return (T) f;
        }

        @SuppressWarnings("unchecked")
        synchronized T b(long i) throws InterruptedException, TimeoutException {
            long j = System.nanoTime() + i * 1_000_000L;
            while (f == e) {
                long k = (j - System.nanoTime() + 999_999L) / 1_000_000L;
                if (k <= 0) {
                    throw new TimeoutException();
                }
                wait(k);
            }
            return (T) f;
        }

        synchronized void c(T i) {
            if (f == e) {
                f = i;
                notifyAll();
            }
        }

        synchronized void d(Throwable i) {
            if (f == e) {
                f = null;
                g = i;
                notifyAll();
            }
        }
    }

    static final LinkedBlockingQueue<a<Integer>> l = new LinkedBlockingQueue<>();
    static final AtomicLong m = new AtomicLong();
    static final AtomicLong n = new AtomicLong();

    static void o(int p) {
        try {
            for (int q = 1;; q++) {
                int r = q * 6 + p;
                a<Integer> s = new a<>(r);
                l.add(s);
                try {
                    Integer t = p % 2 == 0 || r % 7 == 0 ? s.a() : s.b(500);
                    if (t != r * 2 || r % 7 == 0) {
                        n.incrementAndGet();
                    }
                } catch (IllegalArgumentException t) {
                    if (r % 7 != 0) {
                        n.incrementAndGet();
                    }
                } catch (TimeoutException t) {
                    Thread.sleep(1);
                }
                m.incrementAndGet();
            }
        } catch (InterruptedException q) {
            Thread.currentThread().interrupt();
        }
    }

    static void u() {
        try {
            for (;;) {
                a<Integer> s = l.take();
                Thread.sleep(1 + s.h % 4);
                if (s.h % 7 == 0) {
                    s.d(new ArithmeticException("seven"));
                } else {
                    s.c(s.h * 2);
                }
            }
        } catch (InterruptedException v) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long w = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int x = 0; x < 8; x++) {
            int p = x;
            Thread y = new Thread(x < 5 ? () -> o(p) : Pq::u);
            y.setDaemon(true);
            y.start();
        }
        System.out.println("READY");
        Thread.sleep(w * 1000);
        if (n.get() > 0) {
            throw new IllegalStateException(n + " wrong answers");
        }
        System.out.println("DONE " + m);
    }
}
