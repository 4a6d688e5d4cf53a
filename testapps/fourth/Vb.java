// @lock Vb$a
// @type LATCH count=5
// @role count-down Vb$a.b
// @role await Vb$a.c

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Start-up of a system, again and again: five subsystems report by a bit each, two others cannot begin before. Obfuscated. */
public final class Vb {
    static final class a {
        private int a;

        void b(int c) {
            synchronized (this) {
                a |= 1 << c;
                if (a == 0x1f) {
                    notifyAll();
                }
            }
        }

        int c() throws InterruptedException {
            synchronized (this) {
                for (;;) {
                    if ((a & 0x1f) == 0x1f) {
                        return a;
                    }
                    wait();
                }
            }
        }
    }

    static final AtomicLong d = new AtomicLong();
    static volatile boolean e;

    static void f(LinkedBlockingQueue<a> g, int h) {
        try {
            for (;;) {
                a i = g.take();
                Thread.sleep(1 + (h * 5 + d.get()) % 6);
                i.b(h);
            }
        } catch (InterruptedException j) {
            Thread.currentThread().interrupt();
        }
    }

    static void k(LinkedBlockingQueue<a> g) {
        try {
            for (;;) {
                if (g.take().c() != 31) {
                    e = true;
                }
                d.incrementAndGet();
            }
        } catch (InterruptedException j) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long l = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        LinkedBlockingQueue<?>[] m = new LinkedBlockingQueue<?>[7];
        for (int n = 0; n < 7; n++) {
            LinkedBlockingQueue<a> o = new LinkedBlockingQueue<>();
            m[n] = o;
            int h = n;
            Thread p = new Thread(n < 5 ? () -> f(o, h) : () -> k(o));
            p.setDaemon(true);
            p.start();
        }
        System.out.println("READY");
        while (System.nanoTime() < l) {
            a i = new a();
            for (LinkedBlockingQueue<?> q : m) {
                @SuppressWarnings("unchecked")
                LinkedBlockingQueue<a> r = (LinkedBlockingQueue<a>) q;
                r.put(i);
            }
            i.c();
            Thread.sleep(2);
        }
        if (e) {
            throw new IllegalStateException("begun too early");
        }
        System.out.println("DONE " + d);
    }
}
