// @lock java.lang.Class#a
// @type DELAY
// @role delay BlinkLed$a.a

import java.util.concurrent.atomic.AtomicLong;

/** Lamps that blink each in its own rhythm; the pause is a static helper that waits on its own class. Obfuscated. */
public final class BlinkLed {
    static final class a {
        static long b;

        static synchronized void a(long c) throws InterruptedException {
            b++;
            a.class.wait(c);
        }
    }

    static final AtomicLong d = new AtomicLong();
    static volatile boolean e;

    static final class f implements Runnable {
        private final int g;
        private boolean h;

        f(int i) {
            g = i;
        }

        public void run() {
            try {
                for (int j = 0;; j++) {
                    boolean k = j % 2 == 0;
                    if (k == h) {
                        e = true;
                    }
                    h = k;
                    d.incrementAndGet();
                    a.a(k ? g : g + 2);
                }
            } catch (InterruptedException l) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] m) throws InterruptedException {
        long n = m.length > 0 ? Long.parseLong(m[0]) : 600;
        for (int o = 1; o <= 6; o++) {
            Thread p = new Thread(new f(o));
            p.setDaemon(true);
            p.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(n * 1000);
        if (e) {
            throw new IllegalStateException("a lamp did not change");
        }
        System.out.println("DONE " + d);
    }
}
