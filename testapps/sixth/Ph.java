// @lock Ph$a
// @type BARRIER parties=3
// @role arrive Ph$a.a

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Three stages of an encoder in lock-step, phase and arrivals packed into one long; obfuscated. */
public final class Ph {
    static final class a {
        private long a = 3L;

        synchronized int a() throws InterruptedException {
            long l = a >>> 16;
            if ((--a & 0xffffL) == 0L) {
                a = (l + 1L) << 16 | 3L;
                this.notifyAll();
            } else {
                do {
                    this.wait();
                } while (a >>> 16 == l);
            }
            return (int) l;
        }
    }

    static class b extends Thread {
        private final int a;
        private final a b;

        b(int i, a a2) {
            a = i;
            b = a2;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; !d; i++) {
                    c.set(a, i);
                    sleep((i * 7 + a * 3) % 5);
                    if (b.a() != i) {
                        d = true;
                    }
                    for (int j = 0; j < 3; j++) {
                        int k = c.get(j);
                        if (k != i && k != i + 1) {
                            d = true;
                        }
                    }
                    e.incrementAndGet();
                }
            } catch (InterruptedException interruptedexception) {
                d = true;
            }
        }
    }

    private static final AtomicIntegerArray c = new AtomicIntegerArray(3);
    private static volatile boolean d;
    private static final AtomicLong e = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a a1 = new a();
        for (int i = 0; i < 3; i++) {
            new b(i, a1).start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (d) {
            throw new IllegalStateException("out of step");
        }
        System.out.println("DONE " + e);
    }
}
