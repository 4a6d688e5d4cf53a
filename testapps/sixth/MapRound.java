// @lock MapRound$Outstanding
// @type LATCH count=5
// @role await MapRound$Outstanding.join
// @role count-down MapRound$Outstanding.finished

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Word counts by map and reduce: every round has five splits, and the reducer waits till no split is outstanding. */
public class MapRound {
    /** The names of the splits not yet mapped. It only ever shrinks. */
    static class Outstanding {
        private final TreeSet<String> names;

        Outstanding(String... names) {
            this.names = new TreeSet<>(Arrays.asList(names));
        }

        synchronized void finished(String name) {
            if (names.remove(name) && names.isEmpty()) {
                notifyAll();
            }
        }

        synchronized String join(long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (!names.isEmpty()) {
                long rest = end - System.currentTimeMillis();
                if (rest <= 0) {
                    return names.toString();
                }
                wait(rest);
            }
            return null;
        }
    }

    static class Split {
        final String name;
        final String text;
        final Outstanding outstanding;
        final Map<String, Integer> counts = new HashMap<>();

        Split(String name, String text, Outstanding outstanding) {
            this.name = name;
            this.text = text;
            this.outstanding = outstanding;
        }

        void map() throws InterruptedException {
            for (String word : text.split(" ")) {
                counts.merge(word, 1, Integer::sum);
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            outstanding.finished(name);
            if (word(3).equals(name)) {
                outstanding.finished(name); // at-least-once delivery: a report may come twice
            }
        }
    }

    static final String[] SPLITS = {"split-0", "split-1", "split-2", "split-3", "split-4"};
    static final ConcurrentLinkedQueue<Split> queue = new ConcurrentLinkedQueue<>();
    static final AtomicLong rounds = new AtomicLong();
    static volatile Throwable fault;

    static String word(int bound) {
        return "split-" + ThreadLocalRandom.current().nextInt(bound);
    }

    static void mapper() throws InterruptedException {
        Split split = queue.poll();
        if (split == null) {
            Thread.sleep(1);
        } else {
            split.map();
        }
    }

    static void reducer() throws InterruptedException {
        Outstanding outstanding = new Outstanding(SPLITS);
        Split[] splits = new Split[SPLITS.length];
        for (int i = 0; i < splits.length; i++) {
            StringBuilder text = new StringBuilder(word(4));
            for (int j = 1; j < 20; j++) {
                text.append(' ').append(word(4));
            }
            splits[i] = new Split(SPLITS[i], text.toString(), outstanding);
            queue.add(splits[i]);
        }
        String missing = outstanding.join(20_000);
        if (missing != null) {
            throw new IllegalStateException("not mapped: " + missing);
        }
        int words = 0;
        for (Split split : splits) {
            for (int n : split.counts.values()) {
                words += n;
            }
        }
        if (words != 100) {
            throw new IllegalStateException(words + " words");
        }
        rounds.incrementAndGet();
        Thread.sleep(1);
    }

    interface Loop {
        void turn() throws InterruptedException;
    }

    static void start(Loop loop, String name) {
        Thread thread = new Thread(() -> {
            try {
                while (fault == null) {
                    loop.turn();
                }
            } catch (Throwable t) {
                fault = t;
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 5; i++) {
            start(MapRound::mapper, "mapper-" + i);
        }
        start(MapRound::reducer, "reducer-a");
        start(MapRound::reducer, "reducer-b");
        System.out.println("READY");
        Thread.sleep(1000L * seconds);
        if (fault != null) {
            fault.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + rounds);
    }
}
