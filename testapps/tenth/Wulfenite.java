// @lock Wulfenite$a
// @type BARRIER+MUTEX parties=4
// @role arrive Wulfenite$a.a
// @role enter Wulfenite$a.b
// @role enter Wulfenite$a.c

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A card table: four players begin every deal together, and bets and standings are kept under the table's own monitor. Obfuscated. */
public final class Wulfenite {
    static final class a {
        private final Map<Integer, Integer> a = new HashMap<>();
        private int b;
        private int c;
        private long d;

        synchronized int a() throws InterruptedException {
            int e = c;
            b++;
            if (b < 4) {
                while (c == e) {
                    wait();
                }
            } else {
                b = 0;
                c = e + 1;
                notifyAll();
            }
            return c;
        }

        synchronized void b(int e, int f) throws InterruptedException {
            a.merge(e, f, Integer::sum);
            if (f > 6) {
                Thread.sleep(1);
            }
            d += f;
        }

        synchronized boolean c() throws InterruptedException {
            long e = 0;
            for (int f : a.values()) {
                e += f;
            }
            Thread.sleep(0, 500_000);
            return e == d;
        }
    }

    private static final AtomicIntegerArray b = new AtomicIntegerArray(8);
    private static final AtomicLong c = new AtomicLong();
    private static volatile String d;

    static final class b implements Runnable {
        private final a a;
        private final int b;

        b(a c, int d) {
            a = c;
            b = d;
        }

        @Override
        public void run() {
            try {
                for (int c = 1; d == null; c++) {
                    for (int e = ThreadLocalRandom.current().nextInt(1, 4); e > 0; e--) {
                        a.b(b, ThreadLocalRandom.current().nextInt(1, 10));
                        Thread.sleep(ThreadLocalRandom.current().nextInt(3));
                    }
                    Wulfenite.b.incrementAndGet(b);
                    if (a.a() != c) {
                        d = "in another deal";
                    }
                    a(c);
                }
            } catch (InterruptedException c) {
                d = "interrupted";
            }
        }

        private void a(int c) {
            for (int e = b & 4; e < (b & 4) + 4; e++) {
                if (Wulfenite.b.get(e) < c) {
                    d = "a deal began without somebody";
                }
            }
            Wulfenite.c.incrementAndGet();
        }
    }

    private static void a(a[] e) {
        try {
            while (d == null) {
                for (a f : e) {
                    if (!f.c()) {
                        d = "the standings do not add up";
                    }
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                c.incrementAndGet();
            }
        } catch (InterruptedException f) {
            d = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long e = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a[] f = {new a(), new a()};
        for (int g = 0; g < 10; g++) {
            Thread h = new Thread(g < 8 ? new b(f[g / 4], g) : () -> a(f));
            h.setDaemon(true);
            h.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(e * 1000);
        if (d != null) {
            throw new IllegalStateException(d);
        }
        System.out.println("DONE " + c);
    }
}
