// @lock RowCrew$a
// @type BARRIER parties=4
// @role arrive RowCrew$a.a

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A rowing crew that pulls together: the count on one monitor, and every rower asleep on a seat of his own. Obfuscated. */
public final class RowCrew {
    static final class a {
        private final b[] c;
        private int d;

        a(int e) {
            c = new b[e];
            for (int f = 0; f < e; f++) {
                c[f] = new b();
            }
        }

        void a(int g) throws InterruptedException {
            boolean h;
            synchronized (this) {
                h = ++d == c.length;
                if (h) {
                    d = 0;
                }
            }
            if (!h) {
                c[g].b();
                return;
            }
            for (int i = 0; i < c.length; i++) {
                if (i != g) {
                    c[i].a();
                }
            }
        }
    }

    static final class b {
        private int j;

        synchronized void a() {
            j++;
            notify();
        }

        synchronized void b() throws InterruptedException {
            while (j == 0) {
                wait();
            }
            j--;
        }
    }

    static final AtomicIntegerArray k = new AtomicIntegerArray(4);
    static final AtomicLong l = new AtomicLong();
    static volatile boolean m;

    public static void main(String[] n) throws InterruptedException {
        long o = n.length > 0 ? Long.parseLong(n[0]) : 600;
        a p = new a(4);
        for (int q = 0; q < 4; q++) {
            int r = q;
            Thread s = new Thread(() -> t(p, r));
            s.setDaemon(true);
            s.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(o * 1000);
        if (m) {
            throw new IllegalStateException("out of stroke");
        }
        System.out.println("DONE " + l);
    }

    static void t(a u, int v) {
        try {
            for (int w = 1; !m; w++) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(4));
                k.set(v, w);
                u.a(v);
                for (int x = 0; x < 4; x++) {
                    int y = k.get(x) - w;
                    if (y != 0 && y != 1) {
                        m = true;
                    }
                }
                l.incrementAndGet();
            }
        } catch (InterruptedException z) {
            Thread.currentThread().interrupt();
        }
    }
}
