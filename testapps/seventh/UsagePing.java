// @lock java.lang.Class#b
// @type DELAY
// @role delay UsagePing$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Agents that report now and then and sleep in between by a static method that everybody shares. Obfuscated. */
public final class UsagePing {
    static final class a {
        private a() {
        }

        static synchronized void b(long c) throws InterruptedException {
            long d = System.nanoTime() + c * 1_000_000L;
            for (long e = c; e > 0; e = (d - System.nanoTime() + 999_999L) / 1_000_000L) {
                a.class.wait(e);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long f = args.length > 0 ? Long.parseLong(args[0]) : 600;
        AtomicLong g = new AtomicLong();
        AtomicInteger h = new AtomicInteger();
        for (int i = 0; i < 6; i++) {
            Thread j = new Thread(() -> {
                try {
                    while (true) {
                        int k = ThreadLocalRandom.current().nextInt(2, 9);
                        long l = System.nanoTime();
                        a.b(k);
                        if (System.nanoTime() - l < k * 1_000_000L - 1_000_000L) {
                            h.incrementAndGet();
                        }
                        g.incrementAndGet();
                    }
                } catch (InterruptedException m) {
                    Thread.currentThread().interrupt();
                }
            });
            j.setDaemon(true);
            j.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(f * 1000);
        if (h.get() != 0) {
            throw new IllegalStateException("too early: " + h);
        }
        System.out.println("DONE " + g);
    }
}
