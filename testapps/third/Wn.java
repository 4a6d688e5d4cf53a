// @lock java.lang.Class#a
// @type MUTEX
// @role enter Wn.a
// @role enter Wn.b

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

public final class Wn {
    private static long c;
    private static long d;
    private static final Set<Long> e = ConcurrentHashMap.newKeySet();
    private static volatile boolean f;
    private static volatile boolean g;

    static synchronized long a() {
        if (c >= d) {
            d = c + 4;
            c(3);
        }
        return c++;
    }

    static long[] b(int h) {
        synchronized (Wn.class) {
            long[] i = new long[h];
            for (int j = 0; j < h; j++) {
                i[j] = c++;
            }
            if (c > d) {
                d = c;
                c(2);
            }
            return i;
        }
    }

    static void c(long h) {
        try {
            Thread.sleep(h);
        } catch (InterruptedException i) {
            f = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long h = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] i = new Thread[6];
        for (int j = 0; j < i.length; j++) {
            int k = j;
            i[j] = new Thread(() -> {
                while (!f) {
                    if (k < 4) {
                        g |= !e.add(a());
                    } else {
                        for (long l : b(5)) {
                            g |= !e.add(l);
                        }
                    }
                    if (e.size() > 5_000) {
                        e.clear();
                    }
                    c(3 + k % 3);
                }
            });
            i[j].setDaemon(true);
            i[j].start();
        }
        System.out.println("READY");
        Thread.sleep(h * 1000);
        f = true;
        for (Thread l : i) {
            l.join(5_000);
        }
        if (g || c == 0) {
            throw new IllegalStateException("g");
        }
        System.out.println("DONE " + c);
    }
}
