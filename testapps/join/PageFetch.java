// @lock PageFetch$a
// @type JOIN
// @role join PageFetch$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Fetchers that mark their own end on the thread object, awaited with a time limit in a loop. Obfuscated. */
public final class PageFetch {
    static class a extends Thread {
        private boolean c;
        private int d;

        a() {
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                sleep(ThreadLocalRandom.current().nextInt(2, 8));
                d = 200;
            } catch (InterruptedException e) {
                d = 500;
            } finally {
                synchronized (this) {
                    c = true;
                    notifyAll();
                }
            }
        }

        synchronized int b(long f) throws InterruptedException {
            long g = System.currentTimeMillis() + f;
            while (!c) {
                long h = g - System.currentTimeMillis();
                if (h <= 0) {
                    return -1;
                }
                wait(h);
            }
            return d;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long i = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long j = System.nanoTime() + i * 1_000_000_000L;
        AtomicLong k = new AtomicLong();
        AtomicLong l = new AtomicLong();
        Thread[] m = new Thread[3];
        for (int n = 0; n < m.length; n++) {
            m[n] = new Thread(() -> {
                try {
                    while (System.nanoTime() - j < 0) {
                        a o = new a();
                        a p = new a();
                        o.start();
                        p.start();
                        if (o.b(60_000) != 200 || p.b(60_000) != 200) {
                            l.incrementAndGet();
                        }
                        k.addAndGet(2);
                    }
                } catch (InterruptedException q) {
                    l.incrementAndGet();
                }
            });
            m[n].setDaemon(true);
            m[n].start();
        }
        System.out.println("READY");
        System.out.flush();
        for (Thread n : m) {
            n.join();
        }
        if (l.get() != 0) {
            throw new IllegalStateException(l + " fetches failed");
        }
        System.out.println("DONE " + k);
    }
}
