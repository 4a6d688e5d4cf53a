// @lock Ew$d
// @type SEMAPHORE permits=3
// @role acquire Ew$d.put
// @role release Ew$d.get

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Coats on three hooks: one counter of coats hung up, one of coats fetched. Partly obfuscated, names mislead. */
public class Ew {
    static class d {
        private long size;
        private long pos;
        private final int max;

        d(int... a) {
            int b = 0;
            for (int c : a) {
                b += c;
            }
            max = b;
        }

        synchronized void put() throws InterruptedException {
            if (size - pos >= max) {
                do {
                    wait();
                } while (size - pos >= max);
            }
            size++;
        }

        synchronized void get() {
            pos++;
            notify();
        }
    }

    static final AtomicInteger e = new AtomicInteger();
    static final AtomicInteger f = new AtomicInteger();
    static volatile boolean g;

    static class h extends Thread {
        final d i;

        h(d j) {
            i = j;
        }

        @Override
        public void run() {
            while (!g) {
                try {
                    i.put();
                    if (e.incrementAndGet() > 3) {
                        g = true;
                    }
                    sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    e.decrementAndGet();
                    i.get();
                    f.incrementAndGet();
                    sleep(ThreadLocalRandom.current().nextInt(1, 4));
                } catch (InterruptedException k) {
                    return;
                }
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long b = a.length > 0 ? Long.parseLong(a[0]) : 600;
        d c = new d(2, 1);
        for (int i = 0; i < 6; i++) {
            h j = new h(c);
            j.setDaemon(true);
            j.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(b * 1000);
        if (g) {
            System.out.println("coat on the floor");
            System.exit(1);
        }
        System.out.println("DONE " + f);
    }
}
