// @lock Hs$c
// @type PRODUCER-CONSUMER capacity=9
// @role put Hs$c.d
// @role take Hs$c.e

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A blocking stack of linked nodes that knows its depth. Obfuscated. */
public class Hs {
    static class a {
        final a a;
        final int b;
        final Object c;

        a(a d, Object e) {
            a = d;
            c = e;
            b = d == null ? 1 : d.b + 1;
        }
    }

    static class c {
        private a a;
        private final int b;

        c(int f) {
            b = f;
        }

        synchronized void d(Object f) throws InterruptedException {
            while (a != null && a.b >= b) {
                wait();
            }
            a = new a(a, f);
            notifyAll();
        }

        synchronized Object e() throws InterruptedException {
            while (a == null) {
                wait();
            }
            Object f = a.c;
            a = a.a;
            notifyAll();
            return f;
        }
    }

    static final AtomicLong g = new AtomicLong();
    static final AtomicInteger h = new AtomicInteger();
    static volatile boolean i;

    public static void main(String[] j) throws InterruptedException {
        long k = j.length > 0 ? Long.parseLong(j[0]) : 600;
        final c l = new c(9);
        for (int m = 0; m < 5; m++) {
            final boolean n = m < 2;
            final Random o = new Random(m);
            Thread p = new Thread(() -> {
                try {
                    while (true) {
                        boolean q = System.currentTimeMillis() / 300 % 2 == 0;
                        if (n) {
                            l.d(Boolean.TRUE);
                            h.incrementAndGet();
                            Thread.sleep(o.nextInt(q ? 2 : 6));
                        } else {
                            if (l.e() != Boolean.TRUE) {
                                i = true;
                            }
                            if (h.decrementAndGet() < -3) {
                                i = true;
                            }
                            g.incrementAndGet();
                            Thread.sleep(o.nextInt(q ? 8 : 3));
                        }
                    }
                } catch (InterruptedException q) {
                    i = true;
                }
            });
            p.setDaemon(true);
            p.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(k * 1000);
        int m = h.get();
        if (i || m > 9 + 3) {
            System.out.println("wrong depth " + m);
            System.exit(1);
        }
        System.out.println("DONE " + g);
    }
}
