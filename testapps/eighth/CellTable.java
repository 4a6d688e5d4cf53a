// @lock CellTable$a
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock CellTable$a.b
// @role read-unlock CellTable$a.c
// @role write-lock CellTable$a.d
// @role write-unlock CellTable$a.e

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The table of a database file, shared by readers and writers; the lock's state is one number: readers in the low byte, waiting
 * writers in the next one, and a bit for the one who writes. Obfuscated.
 */
public final class CellTable {
    static final class a {
        private static final int f = 0xff;
        private static final int g = 0x100;
        private static final int h = 0xff00;
        private static final int i = 0x10000;
        private int j;

        synchronized void b() throws InterruptedException {
            while ((j & (h | i)) != 0) {
                wait();
            }
            j++;
        }

        synchronized void c() {
            if ((--j & f) == 0) {
                notifyAll();
            }
        }

        synchronized void d() throws InterruptedException {
            j += g;
            try {
                while ((j & (f | i)) != 0) {
                    wait();
                }
            } catch (InterruptedException k) {
                j -= g;
                notifyAll();
                throw k;
            }
            j += i - g;
        }

        synchronized void e() {
            j -= i;
            notifyAll();
        }
    }

    static final int[] b = {5, 5, 5, 5, 5, 5, 5, 5};
    static final AtomicLong c = new AtomicLong();
    static volatile String d;

    static void e(a f, boolean g) {
        ThreadLocalRandom h = ThreadLocalRandom.current();
        try {
            for (;;) {
                if (g) {
                    f.d();
                    int i = h.nextInt();
                    for (int j = 0; j < b.length; j++) {
                        b[j] = i;
                        if (j == 3) {
                            Thread.sleep(1);
                        }
                    }
                    f.e();
                    Thread.sleep(h.nextInt(3, 8));
                } else {
                    f.b();
                    int i = b[0];
                    Thread.sleep(h.nextInt(3));
                    for (int j : b) {
                        if (j != i) {
                            d = "half a record: " + j + " " + i;
                        }
                    }
                    f.c();
                    c.incrementAndGet();
                    Thread.sleep(h.nextInt(1, 4));
                }
            }
        } catch (InterruptedException i) {
            d = i.toString();
        }
    }

    public static void main(String[] f) throws InterruptedException {
        long g = f.length > 0 ? Long.parseLong(f[0]) : 600;
        a h = new a();
        for (int i = 0; i < 7; i++) {
            boolean j = i % 3 == 2;
            Thread k = new Thread(() -> e(h, j));
            k.setDaemon(true);
            k.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(g * 1000);
        if (d != null) {
            throw new IllegalStateException(d);
        }
        System.out.println("DONE " + c);
    }
}
