// @lock java.lang.Object#g
// @type PRODUCER-CONSUMER capacity=4
// @role put Nd$a.g
// @role take Nd$a.h

import java.util.concurrent.atomic.AtomicLong;

/** A bounded buffer whose full and empty sides wait on monitors of their own, while a third one guards the slots. Obfuscated. */
public final class Nd {
    static final class a {
        private final Object a = new Object();
        private final Object b = new Object();
        private final Object c = new Object();
        private final long[] d = new long[4];
        private int e;
        private volatile int f;

        void g(long i) throws InterruptedException {
            for (;;) {
                synchronized (b) {
                    while (f == d.length) {
                        b.wait();
                    }
                }
                if (j(i)) {
                    synchronized (c) {
                        c.notify();
                    }
                    return;
                }
            }
        }

        long h() throws InterruptedException {
            for (;;) {
                synchronized (c) {
                    while (f == 0) {
                        c.wait();
                    }
                }
                long i = k();
                if (i >= 0) {
                    synchronized (b) {
                        b.notify();
                    }
                    return i;
                }
            }
        }

        private boolean j(long i) {
            synchronized (a) {
                if (f == d.length) {
                    return false;
                }
                d[(e + f) % d.length] = i;
                f = f + 1;
                return true;
            }
        }

        private long k() {
            synchronized (a) {
                if (f == 0) {
                    return -1;
                }
                long i = d[e];
                e = (e + 1) % d.length;
                f = f - 1;
                return i;
            }
        }
    }

    static final AtomicLong l = new AtomicLong();
    static final AtomicLong m = new AtomicLong();
    static final AtomicLong n = new AtomicLong();
    static volatile boolean o;

    static void p(a q) {
        try {
            for (int r = 1; !o; r++) {
                l.addAndGet(r);
                q.g(r);
                if (r % 12 == 0) {
                    Thread.sleep(25);
                }
            }
        } catch (InterruptedException s) {
            Thread.currentThread().interrupt();
        }
    }

    static void t(a q) {
        try {
            for (;;) {
                long i = q.h();
                if (i == 0) {
                    return;
                }
                m.addAndGet(i);
                n.incrementAndGet();
                Thread.sleep(1);
            }
        } catch (InterruptedException s) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long u = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a q = new a();
        Thread[] v = new Thread[6];
        for (int w = 0; w < v.length; w++) {
            v[w] = new Thread(w < 3 ? () -> p(q) : () -> t(q));
            v[w].setDaemon(true);
            v[w].start();
        }
        System.out.println("READY");
        Thread.sleep(u * 1000);
        o = true;
        for (int w = 0; w < v.length; w++) {
            if (w == 3) {
                q.g(0);
                q.g(0);
                q.g(0);
            }
            v[w].join(10_000);
        }
        if (l.get() != m.get()) {
            throw new IllegalStateException(l + " in, " + m + " out");
        }
        System.out.println("DONE " + n);
    }
}
