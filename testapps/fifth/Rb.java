// @lock Rb$c
// @type DELAY
// @role delay Rb$c.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A client library, obfuscated: reconnecting with a growing, jittered pause that several callers of one client sit out side by side. */
public final class Rb {
    static final class c {
        private final int a;

        c(int a) {
            this.a = a;
        }

        long b(int n) throws InterruptedException {
            long m = Math.min(a << n, 9) + ThreadLocalRandom.current().nextInt(2);
            long s = System.nanoTime();
            long u = s + m * 1_000_000;
            synchronized (this) {
                for (long l = m; l > 0; l = (u - System.nanoTime() + 999_999) / 1_000_000) {
                    wait(l);
                }
            }
            return System.nanoTime() - s - m * 1_000_000;
        }
    }

    static final AtomicLong d = new AtomicLong();
    static volatile long e;

    static boolean f() {
        d.incrementAndGet();
        return ThreadLocalRandom.current().nextInt(4) == 0;
    }

    static void g(c x) {
        try {
            while (true) {
                for (int n = 0; !f(); n = Math.min(n + 1, 4)) {
                    long o = x.b(n);
                    if (o < 0) {
                        e = o;
                    }
                }
            }
        } catch (InterruptedException z) {
            return;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            c x = new c(i + 1);
            for (int j = 0; j < 2; j++) {
                Thread t = new Thread(() -> g(x), "c" + i + j);
                t.setDaemon(true);
                t.start();
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (e < 0) {
            throw new IllegalStateException("a pause was " + -e + " ns too short");
        }
        System.out.println("DONE " + d);
    }
}
