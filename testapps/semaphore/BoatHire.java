// @lock BoatHire$a
// @type SEMAPHORE permits=5
// @role acquire BoatHire$a.a
// @role release BoatHire$a.b

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Five boats by number: who hires one gets the first free number, kept as an array of flags. Obfuscated. */
public final class BoatHire {
    static final class a {
        private final boolean[] c = new boolean[5];

        synchronized int a() throws InterruptedException {
            int d;
            while ((d = e()) < 0) {
                wait();
            }
            c[d] = true;
            return d;
        }

        private int e() {
            for (int f = 0; f < c.length; f++) {
                if (!c[f]) {
                    return f;
                }
            }
            return -1;
        }

        synchronized void b(int d) {
            c[d] = false;
            notifyAll();
        }
    }

    private static final AtomicIntegerArray g = new AtomicIntegerArray(5);
    private static final AtomicLong h = new AtomicLong();
    private static volatile boolean i;

    static final class j extends Thread {
        private final a k;

        j(a l) {
            k = l;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!i) {
                    int m = k.a();
                    if (!g.compareAndSet(m, 0, 1)) {
                        i = true;
                    }
                    sleep(ThreadLocalRandom.current().nextInt(2, 6));
                    g.set(m, 0);
                    k.b(m);
                    h.incrementAndGet();
                    sleep(ThreadLocalRandom.current().nextInt(3));
                }
            } catch (InterruptedException n) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long o = args.length > 0 ? Long.parseLong(args[0]) : 600;
        a p = new a();
        for (int q = 0; q < 9; q++) {
            new j(p).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(o * 1000);
        if (i) {
            throw new IllegalStateException("a boat was hired out twice");
        }
        System.out.println("DONE " + h);
    }
}
