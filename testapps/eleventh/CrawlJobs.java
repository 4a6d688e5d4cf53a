// @lock CrawlJobs$a
// @type LATCH count=1
// @role await CrawlJobs$a.a
// @role count-down CrawlJobs$a.b
//
// @lock CrawlJobs$b
// @type JOIN
// @role join CrawlJobs.a

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Crawls with a few threads each, which start together at a gate and mark their own end on themselves. Obfuscated. */
public final class CrawlJobs {
    static final class a {
        private volatile boolean a;

        void a() throws InterruptedException {
            if (a) {
                return;
            }
            synchronized (this) {
                while (!a) {
                    wait();
                }
            }
        }

        void b() {
            synchronized (this) {
                a = true;
                notifyAll();
            }
        }
    }

    static final class b extends Thread {
        private final a a;
        private final AtomicLong b;
        int c;
        private boolean d;

        b(a e, AtomicLong f) {
            a = e;
            b = f;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                a.a();
                if (b.get() == 0) {
                    f = true;
                }
                sleep(ThreadLocalRandom.current().nextInt(1, 8));
                c = ThreadLocalRandom.current().nextInt(1, 9);
            } catch (InterruptedException e) {
                interrupt();
            } finally {
                synchronized (this) {
                    d = true;
                    notifyAll();
                }
            }
        }
    }

    static int a(b g, long h) throws InterruptedException {
        synchronized (g) {
            while (!g.d) {
                g.wait(h);
            }
            return g.c;
        }
    }

    private static final AtomicLong e = new AtomicLong();
    private static volatile boolean f;

    static void a() {
        try {
            while (!f) {
                a g = new a();
                AtomicLong h = new AtomicLong();
                List<b> i = new ArrayList<>();
                for (int j = 0; j < 4; j++) {
                    b k = new b(g, h);
                    k.start();
                    i.add(k);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
                h.set(1);
                g.b();
                int l = 0;
                for (b k : i) {
                    int m = a(k, 1000);
                    if (m == 0) {
                        f = true;
                    }
                    l += m;
                }
                e.addAndGet(l);
            }
        } catch (InterruptedException g) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] g) throws InterruptedException {
        long h = g.length > 0 ? Long.parseLong(g[0]) : 600;
        for (int i = 0; i < 3; i++) {
            Thread j = new Thread(() -> a());
            j.setDaemon(true);
            j.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(h * 1000);
        if (f) {
            throw new IllegalStateException("a crawl began too early or ended without a page");
        }
        System.out.println("DONE " + e);
    }
}
