// @lock Qd$e
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Qd$e.a
// @role read-unlock Qd$e.b
// @role write-lock Qd$e.c
// @role write-unlock Qd$e.d

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** One signed number: how many are in, or -1. Obfuscated. */
final class Qd {
    static final class e {
        private int f;

        synchronized void a() throws InterruptedException {
            while (true) {
                if (f >= 0) {
                    f++;
                    return;
                }
                wait();
            }
        }

        synchronized void b() {
            if (--f == 0) {
                notifyAll();
            }
        }

        synchronized void c() throws InterruptedException {
            while (f != 0) {
                wait();
            }
            f = -1;
        }

        synchronized void d() {
            f = 0;
            notifyAll();
        }
    }

    private static final e g = new e();
    private static final AtomicInteger h = new AtomicInteger();
    private static final AtomicInteger i = new AtomicInteger();
    private static final AtomicInteger j = new AtomicInteger();
    private static volatile boolean k;

    public static void main(String[] l) throws InterruptedException {
        long m = l.length > 0 ? Long.parseLong(l[0]) : 600;
        for (int n = 0; n < 6; n++) {
            final boolean o = n % 3 == 0;
            Thread p = new Thread(new Runnable() {
                @Override
                public void run() {
                    try {
                        for (;;) {
                            if (o) {
                                q();
                            } else {
                                r();
                            }
                            j.incrementAndGet();
                            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
                        }
                    } catch (InterruptedException s) {
                        k = true;
                    }
                }
            });
            p.setDaemon(true);
            p.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(m * 1000);
        if (k) {
            System.err.println("broken");
            System.exit(1);
        }
        System.out.println("DONE " + j);
        System.exit(0);
    }

    static void q() throws InterruptedException {
        g.c();
        if (i.incrementAndGet() != 1 || h.get() != 0) {
            k = true;
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(3));
        i.decrementAndGet();
        g.d();
    }

    static void r() throws InterruptedException {
        g.a();
        h.incrementAndGet();
        if (i.get() != 0) {
            k = true;
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(3));
        h.decrementAndGet();
        g.b();
    }
}
