// @lock Kt$a
// @type LATCH count=4
// @role count-down Kt$a.c
// @role await Kt$a.d

import java.util.concurrent.atomic.AtomicInteger;

/** Work in waves of four, two threads wait for the end of a wave. Obfuscated. */
public class Kt {
    static class a {
        private volatile int b;

        a(int b) {
            this.b = b;
        }

        void c() {
            synchronized (this) {
                if (b > 0 && --b == 0) {
                    notifyAll();
                }
            }
        }

        void d() throws InterruptedException {
            synchronized (this) {
                while (b != 0) {
                    wait();
                }
            }
        }
    }

    private static volatile a e;
    private static final AtomicInteger f = new AtomicInteger();
    private static volatile int g;
    private static volatile boolean h;

    private static void i() throws InterruptedException {
        a j = null;
        while (true) {
            a k = e;
            if (k == j) {
                Thread.sleep(1);
                continue;
            }
            j = k;
            int l = 7;
            for (int m = 0; m < 5000; m++) {
                l = l * 31 + m;
            }
            Thread.sleep(3 + (l & 3));
            f.incrementAndGet();
            k.c();
        }
    }

    private static void n(Thread o) {
        o.setDaemon(true);
        o.start();
    }

    interface p {
        void q() throws InterruptedException;
    }

    private static Thread r(p s) {
        return new Thread(() -> {
            try {
                s.q();
            } catch (InterruptedException t) {
                h = true;
            }
        });
    }

    public static void main(String[] u) throws InterruptedException {
        long v = u.length > 0 ? Long.parseLong(u[0]) : 600;
        e = new a(4);
        for (int w = 0; w < 4; w++) {
            n(r(Kt::i));
        }
        n(r(() -> {
            a x = null;
            while (true) {
                a y = e;
                if (y == x) {
                    Thread.sleep(1);
                } else {
                    y.d();
                    x = y;
                }
            }
        }));
        n(r(() -> {
            while (true) {
                e.d();
                if (f.getAndSet(0) != 4) {
                    h = true;
                }
                g++;
                e = new a(4);
            }
        }));
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(v * 1000);
        if (h) {
            System.out.println("a wave was not complete");
            System.exit(1);
        }
        System.out.println("DONE " + g);
    }
}
