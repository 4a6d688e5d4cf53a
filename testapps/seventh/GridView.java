// @lock GridView$a
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock GridView$a.b
// @role read-unlock GridView$a.c
// @role write-lock GridView$a.d
// @role write-unlock GridView$a.e

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A grid, looked at by many and changed by few, all in the order of the numbers that they draw. Obfuscated. */
public final class GridView {
    static final class a {
        private long f;
        private long g;
        private int h;

        synchronized void b() {
            for (long i = f++; i != g || h < 0;) {
                j();
            }
            h++;
            g++;
            notifyAll();
        }

        synchronized void c() {
            if (--h == 0) {
                notifyAll();
            }
        }

        synchronized void d() {
            for (long k = f++; k != g || h != 0;) {
                j();
            }
            h = -1;
            g++;
        }

        synchronized void e() {
            h = 0;
            notifyAll();
        }

        private void j() {
            try {
                wait();
            } catch (InterruptedException l) {
                throw new IllegalStateException(l);
            }
        }
    }

    private static int m;
    private static int n;

    public static void main(String[] args) throws InterruptedException {
        long o = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a p = new a();
        AtomicLong q = new AtomicLong();
        AtomicInteger r = new AtomicInteger();
        for (int s = 0; s < 7; s++) {
            boolean t = s > 4;
            Thread u = new Thread(() -> {
                try {
                    while (true) {
                        if (t) {
                            p.d();
                            m++;
                            Thread.sleep(1);
                            n++;
                            p.e();
                            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
                        } else {
                            p.b();
                            int v = m;
                            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                            if (v != n) {
                                r.incrementAndGet();
                            }
                            p.c();
                            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                        }
                        q.incrementAndGet();
                    }
                } catch (InterruptedException w) {
                    r.incrementAndGet();
                }
            });
            u.setDaemon(true);
            u.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(o * 1000);
        if (r.get() != 0) {
            throw new IllegalStateException("half a change was seen");
        }
        System.out.println("DONE " + q);
    }
}
