// An API gateway: a refill thread puts tokens into the bucket up to a burst, callers consume one each and never
// return any. The refiller paces itself by a timed wait on its own object. Names tell nothing.
//
// @lock TokenBucket$B
// @type SEMAPHORE form=rate-limiter
// @role acquire TokenBucket$B.m1
// @role acquire TokenBucket$B.m2
// @role release TokenBucket$B.m3
//
// @lock TokenBucket$C
// @type DELAY
// @role delay TokenBucket$C.m4

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class TokenBucket {
    static final AtomicLong n1 = new AtomicLong();
    static final AtomicLong n2 = new AtomicLong();
    static volatile String err;

    static class B {
        private double v = 6;
        private final double w = 6;

        void m1() throws InterruptedException {
            synchronized (this) {
                while (v < 1) {
                    this.wait();
                }
                v -= 1;
            }
        }

        boolean m2(int ms) throws InterruptedException {
            synchronized (this) {
                long t = System.currentTimeMillis() + ms;
                for (long r = ms; v < 1; r = t - System.currentTimeMillis()) {
                    if (r <= 0) {
                        return false;
                    }
                    this.wait(r);
                }
                v -= 1;
                return true;
            }
        }

        void m3(double x) {
            synchronized (this) {
                n2.addAndGet((long) x);
                v = Math.min(w, v + x);
                this.notifyAll();
            }
        }
    }

    static class C extends Thread {
        private final B q;
        private final int p;

        C(B q, int p) {
            this.q = q;
            this.p = p;
            setDaemon(true);
        }

        private synchronized void m4() throws InterruptedException {
            long t = System.nanoTime() + p * 1_000_000L;
            while (true) {
                long r = (t - System.nanoTime() + 999_999L) / 1_000_000L;
                if (r <= 0) {
                    return;
                }
                wait(r);
            }
        }

        @Override
        public void run() {
            try {
                while (true) {
                    m4();
                    q.m3(2);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static class D implements Runnable {
        private final B q;

        D(B q) {
            this.q = q;
        }

        @Override
        public void run() {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            try {
                while (true) {
                    if (r.nextInt(3) > 0) {
                        q.m1();
                        n1.incrementAndGet();
                    } else if (q.m2(12)) {
                        n1.incrementAndGet();
                    }
                    if (n1.get() > n2.get() + 6) {
                        err = "more calls than tokens";
                    }
                    Thread.sleep(2 + r.nextInt(8));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int s = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        B q = new B();
        new C(q, 7).start();
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(new D(q));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long e = System.currentTimeMillis() + s * 1000L;
        while (System.currentTimeMillis() < e && err == null) {
            Thread.sleep(40);
        }
        System.out.println(err != null ? err : "DONE " + n1.get());
        System.exit(err != null ? 1 : 0);
    }
}
