// @lock [J#d
// @type CONDITION
// @role wait Watermark$a.d
// @role notify Watermark$a.c

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A stream processor: three sources say how far they have come, and a window is closed when the slowest of them is beyond its end.
 * The array of times is its own monitor. Obfuscated.
 */
public final class Watermark {
    static final class a {
        private final long[] b = new long[3];

        private long b() {
            return Math.min(b[0], Math.min(b[1], b[2]));
        }

        void c(int e, long f) {
            synchronized (b) {
                long g = b();
                b[e] = f;
                if (b() > g) {
                    b.notifyAll();
                }
            }
        }

        long d(long e) throws InterruptedException {
            synchronized (b) {
                long f;
                while ((f = b()) < e) {
                    b.wait();
                }
                return f;
            }
        }
    }

    static final a b = new a();
    static final AtomicLong c = new AtomicLong();
    static volatile boolean d;

    interface e {
        void a(int f) throws InterruptedException;
    }

    static void f(int g) throws InterruptedException {
        for (long h = 1;; h += ThreadLocalRandom.current().nextInt(1, 4)) {
            b.c(g, h);
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        }
    }

    static void g(int h) throws InterruptedException {
        for (long i = h;;) {
            long j = b.d(i);
            if (j < i) {
                d = true;
            }
            c.incrementAndGet();
            i = j + h;
            Thread.sleep(h % 2);
        }
    }

    static void h(int i, e j) {
        Thread k = new Thread(() -> {
            try {
                j.a(i);
            } catch (InterruptedException l) {
                d = true;
            }
        });
        k.setDaemon(true);
        k.start();
    }

    public static void main(String[] i) throws InterruptedException {
        long j = i.length > 0 ? Long.parseLong(i[0]) : 600;
        for (int k = 0; k < 3; k++) {
            h(k, Watermark::f);
            h(3 * k + 2, Watermark::g);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(j * 1000);
        if (d) {
            throw new IllegalStateException("a window was closed too early");
        }
        System.out.println("DONE " + c);
    }
}
