// @lock java.lang.Object#lambda$count$0
// @type MUTEX
// @role enter WordTally.lambda$count$0
// @role enter WordTally.sum

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/** A striped word count: four maps, each behind its own plain object, locked from inside a lambda. */
public final class WordTally {
    private static final int STRIPES = 4;

    private final Object[] locks = new Object[STRIPES];
    private final Map<Integer, Integer> counts = new HashMap<>();
    private final long[] sums = new long[STRIPES];
    private final AtomicLong counted = new AtomicLong();
    private volatile boolean stop;

    WordTally() {
        for (int i = 0; i < STRIPES; i++) {
            locks[i] = new Object();
        }
    }

    IntConsumer count() {
        return word -> {
            int s = word % STRIPES;
            synchronized (locks[s]) {
                sums[s]++;
                if (sums[s] % 3 == 0) {
                    pause(1); // page fault in the mapped file
                }
            }
            counted.incrementAndGet();
        };
    }

    long sum() {
        long total = 0;
        for (int s = 0; s < STRIPES; s++) {
            synchronized (locks[s]) {
                total += sums[s];
            }
        }
        return total;
    }

    static void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Thread spawn(Runnable body, String name) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    private void read(IntConsumer sink) {
        // Words follow Zipf's law, hence one stripe is far hotter than the others.
        while (!stop) {
            double u = ThreadLocalRandom.current().nextDouble();
            sink.accept((int) (STRIPES * u * u * u));
            pause(ThreadLocalRandom.current().nextInt(3));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length == 0 ? 600 : Integer.parseInt(args[0]);
        WordTally tally = new WordTally();
        IntConsumer sink = tally.count();
        Thread[] readers = new Thread[6];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = tally.spawn(new Runnable() {
                @Override
                public void run() {
                    tally.read(sink);
                }
            }, "reader-" + i);
        }
        Thread watcher = tally.spawn(new Runnable() {
            @Override
            public void run() {
                long last = 0;
                while (!tally.stop) {
                    long now = tally.sum();
                    tally.counts.put((int) (now & 7), (int) (now - last));
                    last = now;
                    pause(15);
                }
            }
        }, "watcher");
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000L);
        tally.stop = true;
        for (Thread t : readers) {
            t.join(5_000);
        }
        watcher.join(5_000);
        if (tally.sum() != tally.counted.get()) {
            throw new IllegalStateException("counted " + tally.counted + ", kept " + tally.sum());
        }
        System.out.println("DONE " + tally.sum());
    }
}
