// @lock DmaChannels$a
// @type SEMAPHORE permits=4
// @role acquire DmaChannels$a.b
// @role release DmaChannels$a.c

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** The four channels of a DMA controller, free ones kept as bits of a number; a driver may have to wait. Obfuscated. */
public final class DmaChannels {
    static final class a {
        private int a = 0xf;

        int b() {
            int c;
            boolean d = false;
            synchronized (this) {
                while (a == 0) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        d = true;
                    }
                }
                c = a & -a;
                a ^= c;
            }
            if (d) {
                Thread.currentThread().interrupt();
            }
            return Integer.numberOfTrailingZeros(c);
        }

        void c(int d) {
            int e = 1 << d;
            synchronized (this) {
                if ((a & e) != 0) {
                    throw new IllegalStateException("channel " + d + " is free");
                }
                a |= e;
                notify();
            }
        }
    }

    static final AtomicIntegerArray b = new AtomicIntegerArray(4);
    static final AtomicLong c = new AtomicLong();
    static volatile Throwable d;

    static void e(a f, int g) {
        for (int h = g; ; h++) {
            int i = f.b();
            try {
                if (!b.compareAndSet(i, 0, g + 1)) {
                    throw new IllegalStateException("two transfers on channel " + i);
                }
                Thread.sleep(1 + h % 5);
                b.set(i, 0);
                f.c(i);
                c.incrementAndGet();
                Thread.sleep(h % 2);
            } catch (InterruptedException | IllegalStateException j) {
                d = j;
                return;
            }
        }
    }

    public static void main(String[] f) throws Exception {
        long g = f.length > 0 ? Long.parseLong(f[0]) : 600;
        a h = new a();
        for (int i = 0; i < 7; i++) {
            int j = i;
            Thread k = new Thread(() -> e(h, j));
            k.setDaemon(true);
            k.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(g * 1000);
        if (d != null) {
            throw new Exception(d);
        }
        System.out.println("DONE " + c);
    }
}
