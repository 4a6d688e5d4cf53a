// @lock DrainOnStop$b
// @type LATCH count=3
// @role count-down DrainOnStop$a.b
// @role await DrainOnStop$a.c

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A server that is redeployed all the time: the old one stops when its three last requests are through. Obfuscated. */
public final class DrainOnStop {
    static class a {
        private int d;

        a(int e) {
            d = e;
        }

        private boolean a() {
            return d <= 0;
        }

        final void b() {
            synchronized (this) {
                if (a()) {
                    return;
                }
                d--;
                if (a()) {
                    notifyAll();
                }
            }
        }

        final boolean c(long e) throws InterruptedException {
            long f = System.nanoTime() + e * 1000000L;
            synchronized (this) {
                for (;;) {
                    if (a()) {
                        return true;
                    }
                    long g = (f - System.nanoTime()) / 1000000L;
                    if (g <= 0) {
                        return false;
                    }
                    wait(g);
                }
            }
        }
    }

    static final class b extends a {
        final AtomicInteger e = new AtomicInteger();

        b() {
            super(3);
        }
    }

    private static final ConcurrentLinkedQueue<b> c = new ConcurrentLinkedQueue<>();
    private static final AtomicLong d = new AtomicLong();
    private static volatile String e;

    private static void f() {
        try {
            while (true) {
                b g = c.poll();
                if (g == null) {
                    Thread.sleep(1);
                } else {
                    Thread.sleep(2);
                    g.e.incrementAndGet();
                    g.b();
                }
            }
        } catch (InterruptedException h) {
            Thread.currentThread().interrupt();
        }
    }

    private static void g() {
        try {
            while (true) {
                b h = new b();
                for (int i = 0; i < 3; i++) {
                    c.add(h);
                }
                while (!h.c(2000)) {
                    d.decrementAndGet();
                }
                if (h.e.get() != 3) {
                    e = "stopped with " + h.e + " of 3";
                }
                d.incrementAndGet();
            }
        } catch (InterruptedException i) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] h) throws InterruptedException {
        long i = h.length > 0 ? Long.parseLong(h[0]) : 600;
        for (int j = 0; j < 7; j++) {
            Thread k = new Thread(j < 4 ? DrainOnStop::f : DrainOnStop::g);
            k.setDaemon(true);
            k.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(i * 1000);
        if (e != null) {
            throw new IllegalStateException(e);
        }
        System.out.println("DONE " + d);
    }
}
