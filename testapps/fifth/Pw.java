// @lock java.lang.Object#b
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Pw$a.b
// @role read-unlock Pw$a.c
// @role write-lock Pw$a.d
// @role write-unlock Pw$a.e

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A game map's read-write lock, obfuscated: readers, waiting writers and the writer are packed into one number. */
public final class Pw {
    static final class a {
        private final Object f = new Object();
        private int g;

        void b() throws InterruptedException {
            synchronized (f) {
                while (g >>> 16 != 0) {
                    f.wait();
                }
                g++;
            }
        }

        void c() {
            synchronized (f) {
                if ((--g & 0xffff) == 0) {
                    f.notifyAll();
                }
            }
        }

        void d() throws InterruptedException {
            synchronized (f) {
                g += 1 << 16;
                try {
                    while (g < 0 || (g & 0xffff) != 0) {
                        f.wait();
                    }
                } catch (InterruptedException x) {
                    g -= 1 << 16;
                    f.notifyAll();
                    throw x;
                }
                g -= 1 << 16;
                g |= 1 << 31;
            }
        }

        void e() {
            synchronized (f) {
                g &= ~(1 << 31);
                f.notifyAll();
            }
        }
    }

    static final a h = new a();
    static final long[] i = new long[16];
    static final AtomicLong j = new AtomicLong();
    static volatile boolean k;

    static void l() throws InterruptedException {
        h.b();
        long s = 0;
        for (long v : i) {
            s += v;
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
        h.c();
        if (s != 0) {
            k = true;
        }
        j.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
    }

    static void m() throws InterruptedException {
        h.d();
        int v = ThreadLocalRandom.current().nextInt(16);
        i[v]++;
        Thread.sleep(1);
        i[15 - v]--;
        h.e();
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int n = 0; n < 7; n++) {
            boolean w = n < 2;
            Thread t = new Thread(() -> {
                try {
                    while (!k) {
                        if (w) {
                            m();
                        } else {
                            l();
                        }
                    }
                } catch (InterruptedException z) {
                    k = true;
                }
            }, "w" + n);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (k) {
            throw new IllegalStateException("half a change was seen");
        }
        System.out.println("DONE " + j);
    }
}
