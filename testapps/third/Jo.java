// @lock java.lang.Object#a
// @type DELAY
// @role delay Jo.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public final class Jo {
    private final Object b = new Object();
    static final AtomicLong c = new AtomicLong();
    static volatile boolean d;
    static volatile boolean e;

    void a(int f) throws InterruptedException {
        long g = System.nanoTime() + f * 1_000_000L;
        synchronized (b) {
            while (true) {
                long h = g - System.nanoTime();
                if (h <= 0) {
                    break;
                }
                b.wait(h / 1_000_000L, (int) (h % 1_000_000L));
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long f = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] g = new Thread[5];
        for (int h = 0; h < g.length; h++) {
            Jo i = new Jo();
            g[h] = new Thread(() -> {
                try {
                    for (int j = 1; !d; j = j > 20 ? 1 : j * 2) {
                        long k = System.nanoTime();
                        i.a(j + ThreadLocalRandom.current().nextInt(4));
                        if (System.nanoTime() - k < j * 1_000_000L) {
                            e = true;
                        }
                        c.incrementAndGet();
                    }
                } catch (InterruptedException j) {
                    e = true;
                }
            });
            g[h].setDaemon(true);
            g[h].start();
        }
        System.out.println("READY");
        Thread.sleep(f * 1000);
        d = true;
        for (Thread l : g) {
            l.join(5_000);
        }
        if (e || c.get() == 0) {
            throw new IllegalStateException("e");
        }
        System.out.println("DONE " + c);
    }
}
