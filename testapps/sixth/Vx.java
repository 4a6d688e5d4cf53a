// @lock Vx$a
// @type SEMAPHORE permits=4
// @role acquire Vx$a.a
// @role release Vx$a.b

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Four voices of a synthesizer, a bit each in a mask of the free ones; as an obfuscator leaves it. */
public final class Vx {
    static final class a {
        private int a = 15;
        private int b;

        int a() throws InterruptedException {
            synchronized (this) {
                ++b;
                try {
                    while (a == 0) {
                        wait();
                    }
                    int i = Integer.lowestOneBit(a);
                    a ^= i;
                    return Integer.numberOfTrailingZeros(i);
                } finally {
                    --b;
                }
            }
        }

        void b(int i) {
            synchronized (this) {
                a |= 1 << i;
                if (b != 0) {
                    notify();
                }
            }
        }
    }

    private static final a a = new a();
    private static final AtomicIntegerArray b = new AtomicIntegerArray(4);
    private static final AtomicLong c = new AtomicLong();
    private static volatile boolean d;

    static void a(int i) {
        try {
            for (int j = 0; !d; j++) {
                int k = a.a();
                if (b.incrementAndGet(k) != 1) {
                    d = true;
                }
                Thread.sleep(1 + (i + j) % 4);
                b.decrementAndGet(k);
                a.b(k);
                c.incrementAndGet();
                Thread.sleep(1 + j % 2);
            }
        } catch (InterruptedException e) {
            d = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 9; i++) {
            int j = i;
            Thread t = new Thread(() -> a(j));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (d) {
            throw new IllegalStateException();
        }
        System.out.println("DONE " + c);
    }
}
