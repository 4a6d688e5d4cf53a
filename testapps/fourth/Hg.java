// @lock java.lang.Object#b
// @type MUTEX
// @role enter Hg$a.b
// @role enter Hg$a.c
//
// @lock Hg$d
// @type DELAY
// @role delay Hg$d.a

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A thumbnail cache that is filled and trimmed under one lock, by clients that pace themselves. Obfuscated. */
public final class Hg {
    static final class a {
        private final Object a = new Object();
        private final LinkedHashMap<Integer, int[]> b = new LinkedHashMap<>(32, 0.75f, true);
        private int c;

        int[] b(int d) throws InterruptedException {
            synchronized (a) {
                int[] e = b.get(d);
                if (e == null) {
                    e = new int[64];
                    for (int f = 0; f < e.length; f++) {
                        e[f] = d * 31 + f;
                    }
                    Thread.sleep(1);
                    b.put(d, e);
                    c++;
                }
                return e;
            }
        }

        int c(int d) {
            synchronized (a) {
                if (b.size() != c) {
                    g.incrementAndGet();
                }
                int h = 0;
                for (Iterator<Map.Entry<Integer, int[]>> e = b.entrySet().iterator(); e.hasNext() && c > d;) {
                    h += e.next().getValue()[0];
                    e.remove();
                    c--;
                }
                return h;
            }
        }
    }

    static final class d {
        synchronized void a(int b) throws InterruptedException {
            long c = System.nanoTime() + b * 1_000_000L;
            for (;;) {
                long e = c - System.nanoTime();
                if (e <= 0) {
                    return;
                }
                wait(e / 1_000_000L, (int) (e % 1_000_000L));
            }
        }
    }

    static final AtomicLong g = new AtomicLong();
    static final AtomicLong i = new AtomicLong();

    private static void j(a k) {
        d l = new d();
        try {
            for (;;) {
                int m = ThreadLocalRandom.current().nextInt(60);
                if (k.b(m)[3] != m * 31 + 3) {
                    g.incrementAndGet();
                }
                i.incrementAndGet();
                l.a(1 + m % 5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void n(a k) {
        d l = new d();
        try {
            for (;;) {
                k.c(12);
                l.a(8);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void o(Runnable p) {
        Thread q = new Thread(p);
        q.setDaemon(true);
        q.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long r = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a k = new a();
        for (int s = 0; s < 5; s++) {
            o(() -> j(k));
        }
        o(() -> n(k));
        System.out.println("READY");
        Thread.sleep(r * 1000);
        if (g.get() > 0) {
            throw new IllegalStateException(g + " wrong thumbnails");
        }
        System.out.println("DONE " + i);
    }
}
