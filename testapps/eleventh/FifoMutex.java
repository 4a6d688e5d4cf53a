// @lock FifoMutex$a
// @type LOCK reentrant=false
// @role lock FifoMutex$a.a
// @role unlock FifoMutex$a.b

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A page file behind a lock that is handed to whoever has waited longest, each on a node of his own. Obfuscated. */
public final class FifoMutex {
    static final class b {
        final Thread a = Thread.currentThread();
        boolean b;
    }

    static final class a {
        private final ArrayDeque<b> a = new ArrayDeque<>();
        private Thread b;

        void a() {
            boolean d = false;
            b c = new b();
            synchronized (c) {
                synchronized (this) {
                    if (b == null) {
                        b = c.a;
                        return;
                    }
                    a.addLast(c);
                }
                while (!c.b) {
                    try {
                        c.wait();
                    } catch (InterruptedException e) {
                        d = true;
                    }
                }
            }
            if (d) {
                c.a.interrupt();
            }
        }

        void b() {
            b c;
            synchronized (this) {
                if (b != Thread.currentThread()) {
                    throw new IllegalMonitorStateException();
                }
                c = a.pollFirst();
                b = c == null ? null : c.a;
            }
            if (c != null) {
                synchronized (c) {
                    c.b = true;
                    c.notify();
                }
            }
        }
    }

    private static final a c = new a();
    private static final long[] d = new long[2];
    private static final AtomicLong e = new AtomicLong();
    private static volatile boolean f;

    static void a() {
        try {
            while (!f) {
                c.a();
                try {
                    d[0]++;
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                    d[1]++;
                    if (d[0] != d[1]) {
                        f = true;
                    }
                } finally {
                    c.b();
                }
                e.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            }
        } catch (InterruptedException g) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] g) throws InterruptedException {
        long h = g.length > 0 ? Long.parseLong(g[0]) : 600;
        for (int i = 0; i < 7; i++) {
            Thread j = new Thread(FifoMutex::a);
            j.setDaemon(true);
            j.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(h * 1000);
        if (f) {
            throw new IllegalStateException("two at the page file");
        }
        System.out.println("DONE " + e);
    }
}
