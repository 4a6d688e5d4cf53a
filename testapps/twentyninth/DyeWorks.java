// @lock java.util.HashMap#complete
// @type MUTEX
// @role enter DyeWorks$Promise.complete
// @role enter DyeWorks$Promise.get
// @lock DyeWorks$Buffer
// @type CONDITION
// @role wait DyeWorks$Buffer.take
// @role notify DyeWorks$Buffer.flush

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Four vats dye cloth while the main tap is open; the foreman closes and opens it again and again. What was promised
 * to which customer is in one book.
 */
public final class DyeWorks {

    /** Customer -> yards promised. */
    static final class Promise {
        private final Map<String, Integer> yards = new HashMap<>();
        private final Map<Integer, Integer> byVat = new TreeMap<>();

        void complete(String customer, int vat, int n) throws InterruptedException {
            synchronized (yards) {
                yards.merge(customer, n, Integer::sum);
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 4));
                byVat.merge(vat, n, Integer::sum);
            }
        }

        int get() throws InterruptedException {
            synchronized (yards) {
                Thread.sleep(1);
                int a = 0;
                int b = 0;
                for (int n : yards.values()) {
                    a += n;
                }
                for (int n : byVat.values()) {
                    b += n;
                }
                if (a != b) {
                    throw new IllegalStateException(a + " yards promised, " + b + " dyed");
                }
                return a;
            }
        }
    }

    /** Between the canal and the vats. */
    static final class Buffer {
        private static final int SHUT = 0;
        private static final int RUNNING = 1;
        private int tap = SHUT;
        private long turns;

        synchronized void fill() {
            tap = SHUT;
            turns++;
        }

        synchronized void flush() {
            tap = RUNNING;
            turns++;
            notifyAll();
        }

        synchronized long take() throws InterruptedException {
            while (tap == SHUT) {
                wait();
            }
            return turns;
        }
    }

    private final Promise promise = new Promise();
    private final Buffer buffer = new Buffer();
    private final AtomicLong dyed = new AtomicLong();
    private volatile Throwable stain;

    private void vat(int id) throws InterruptedException {
        long turn = buffer.take();
        if (turn % 2 == 0) {
            throw new IllegalStateException("dyed without water");
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        promise.complete("customer " + turn % 5, id, (int) (turn % 7));
        dyed.incrementAndGet();
    }

    private void foreman() throws InterruptedException {
        buffer.flush();
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
        buffer.fill();
        Thread.sleep(ThreadLocalRandom.current().nextInt(10, 20));
    }

    private void clerk() throws InterruptedException {
        promise.get();
        Thread.sleep(9);
    }

    private interface Round {
        void make() throws InterruptedException;
    }

    private void employ(Round r) {
        Thread t = new Thread(() -> {
            try {
                do {
                    r.make();
                } while (stain == null);
            } catch (Exception e) {
                stain = e;
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        DyeWorks works = new DyeWorks();
        for (int i = 0; i < 4; i++) {
            int id = i;
            works.employ(() -> works.vat(id));
        }
        works.employ(works::foreman);
        works.employ(works::clerk);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (works.stain != null) {
            throw new IllegalStateException(works.stain);
        }
        System.out.println("DONE " + works.dyed);
    }
}
