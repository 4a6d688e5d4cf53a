// @lock Zk$a
// @type SEMAPHORE form=rate-limiter
// @role acquire Zk$a.c
// @role release Zk$a.d

import java.util.concurrent.atomic.AtomicLong;

/** A token bucket in front of somebody else's service: a ticker pours tokens in, callers only ever take them out. Obfuscated. */
public final class Zk {
    static final class a {
        private final long a;
        private long b;

        a(long e) {
            a = e;
            b = e;
        }

        synchronized void c() throws InterruptedException {
            while (f()) {
                wait();
            }
            b--;
        }

        synchronized void d(long e) {
            long g = b;
            b = Math.min(a, b + e);
            if (b > g) {
                notifyAll();
            }
        }

        private boolean f() {
            return b < 1;
        }
    }

    static final AtomicLong h = new AtomicLong();
    static final AtomicLong i = new AtomicLong(6);

    static void j(a k, int l) {
        try {
            for (int m = l;; m++) {
                k.c();
                h.incrementAndGet();
                Thread.sleep(1 + m % 6);
            }
        } catch (InterruptedException n) {
            Thread.currentThread().interrupt();
        }
    }

    static void o(a k) {
        try {
            for (;;) {
                Thread.sleep(9);
                i.addAndGet(3);
                k.d(3);
            }
        } catch (InterruptedException n) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long p = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a k = new a(6);
        for (int q = 0; q < 7; q++) {
            int l = q;
            Thread r = new Thread(q == 6 ? () -> o(k) : () -> j(k, l));
            r.setDaemon(true);
            r.start();
        }
        System.out.println("READY");
        Thread.sleep(p * 1000);
        long s = h.get();
        if (s > i.get()) {
            throw new IllegalStateException("more calls than tokens");
        }
        System.out.println("DONE " + s);
    }
}
