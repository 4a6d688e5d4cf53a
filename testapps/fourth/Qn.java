// @lock java.lang.Object#d
// @type BARRIER parties=5
// @role arrive Qn$a.d

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Five solvers in step, on a barrier whose sense is turned round each time; everybody carries his own sense. Obfuscated. */
public final class Qn {
    static final class a {
        private final Object a = new Object();
        private final ThreadLocal<Boolean> b = ThreadLocal.withInitial(() -> Boolean.FALSE);
        private boolean c;
        private int e = 5;

        void d() {
            boolean f = !b.get();
            b.set(f);
            synchronized (a) {
                e -= 1;
                if (e > 0) {
                    do {
                        try {
                            a.wait();
                        } catch (InterruptedException g) {
                            g(g);
                        }
                    } while (c != f);
                } else {
                    e = 5;
                    c = f;
                    a.notifyAll();
                }
            }
        }

        private static void g(InterruptedException h) {
            throw new IllegalStateException(h);
        }
    }

    static final AtomicIntegerArray i = new AtomicIntegerArray(5);
    static final AtomicLong j = new AtomicLong();

    static void k(a l, int m) {
        for (int n = 1;; n++) {
            i.set(m, n);
            o(1 + (m * 3 + n) % 7);
            l.d();
            for (int p = 0; p < 5; p++) {
                int q = i.get(p) - n;
                if (q < 0 || q > 1) {
                    j.incrementAndGet();
                }
            }
        }
    }

    static void o(int p) {
        try {
            Thread.sleep(p);
        } catch (InterruptedException q) {
            throw new IllegalStateException(q);
        }
    }

    public static void main(String[] args) {
        long r = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a l = new a();
        for (int s = 0; s < 5; s++) {
            int m = s;
            Thread t = new Thread(() -> k(l, m));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (long u = 0; u < r * 10; u++) {
            o(100);
        }
        if (j.get() > 0) {
            throw new IllegalStateException(j + " out of step");
        }
        System.out.println("DONE " + i.get(0));
    }
}
