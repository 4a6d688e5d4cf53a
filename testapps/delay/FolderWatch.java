// @lock java.lang.Object#a
// @type DELAY
// @role delay FolderWatch.a

import java.util.concurrent.atomic.AtomicInteger;

/** Watchers that look again every few milliseconds whether a folder has changed; nobody tells them. Obfuscated. */
public final class FolderWatch {
    private final Object b = new Object();
    private final AtomicInteger c;
    private int d;

    private FolderWatch(AtomicInteger c) {
        this.c = c;
    }

    /** Returns when something is new. */
    int a() throws InterruptedException {
        int e;
        synchronized (b) {
            while ((e = c.get()) == d) {
                f(e);
            }
            d = e;
        }
        return e;
    }

    private void f(int g) throws InterruptedException {
        if ((g & 1) == 0) {
            b.wait(2L, 500_000);
        } else {
            b.wait(3L);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long h = args.length > 0 ? Long.parseLong(args[0]) : 600;
        AtomicInteger i = new AtomicInteger();
        AtomicInteger j = new AtomicInteger();
        AtomicInteger k = new AtomicInteger();
        for (int l = 0; l < 4; l++) {
            FolderWatch m = new FolderWatch(i);
            Thread n = new Thread(() -> {
                try {
                    for (int o = 0;;) {
                        int p = m.a();
                        if (p <= o) {
                            k.incrementAndGet();
                        }
                        o = p;
                        j.incrementAndGet();
                    }
                } catch (InterruptedException q) {
                    Thread.currentThread().interrupt();
                }
            });
            n.setDaemon(true);
            n.start();
        }
        System.out.println("READY");
        System.out.flush();
        long r = System.nanoTime() + h * 1_000_000_000L;
        while (System.nanoTime() - r < 0) {
            Thread.sleep(9);
            i.incrementAndGet();
        }
        if (k.get() != 0) {
            throw new IllegalStateException("time ran backwards " + k + " times");
        }
        System.out.println("DONE " + j);
    }
}
