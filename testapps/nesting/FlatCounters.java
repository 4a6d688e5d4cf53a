// @no-edges
// @no-cycle

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Two counters that many threads use, one after the other and never one inside the other. */
public final class FlatCounters {
    private static final AtomicLong done = new AtomicLong();
    private static volatile boolean open = true;

    static final class Hits {
        private long sum;

        synchronized void add() throws InterruptedException {
            sum++;
            Thread.sleep(1);
        }
    }

    static final class Misses {
        private long sum;

        synchronized void add() throws InterruptedException {
            sum++;
            Thread.sleep(1);
        }
    }

    private static void worker(Hits hits, Misses misses) {
        try {
            while (open) {
                if (ThreadLocalRandom.current().nextBoolean()) {
                    hits.add();
                }
                misses.add();
                done.incrementAndGet();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Hits hits = new Hits();
        Misses misses = new Misses();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> worker(hits, misses), "worker-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        open = false;
        if (done.get() == 0 || hits.sum > done.get() + 4) {
            throw new IllegalStateException("miscounted");
        }
        System.out.println("DONE " + done.get());
    }
}
