// @lock BallotBox$Guarded
// @type MUTEX
// @role enter BallotBox$Guarded.with

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Votes counted by several clerks: the tally can only be reached through a wrapper that runs a function on it. */
public final class BallotBox {
    /** A value that is never seen without its lock. */
    static final class Guarded<T> {
        private final T value;

        Guarded(T value) {
            this.value = value;
        }

        <R> R with(Function<? super T, ? extends R> body) {
            synchronized (this) {
                return body.apply(value);
            }
        }
    }

    private static final String[] PARTIES = {"red", "green", "blue", "grey"};
    private static volatile boolean stop;
    private static final AtomicLong cast = new AtomicLong();

    private static Integer record(Map<String, Integer> tally, String party) {
        int before = tally.getOrDefault(party, 0);
        LockSupport.parkNanos(400_000);
        tally.put(party, before + 1);
        return before + 1;
    }

    private static void clerk(Guarded<Map<String, Integer>> box) {
        while (!stop) {
            String party = PARTIES[ThreadLocalRandom.current().nextInt(PARTIES.length)];
            box.with(tally -> record(tally, party));
            cast.incrementAndGet();
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(1_000_000, 3_000_000));
        }
    }

    private static Long total(Map<String, Integer> tally) {
        long sum = 0;
        for (int n : tally.values()) {
            sum += n;
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Guarded<Map<String, Integer>> box = new Guarded<>(new TreeMap<>());
        Thread[] clerks = new Thread[6];
        for (int i = 0; i < clerks.length; i++) {
            clerks[i] = new Thread(() -> clerk(box), "clerk-" + i);
            clerks[i].setDaemon(true);
            clerks[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        long seen = 0;
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end) {
            long now = box.with(BallotBox::total);
            if (now < seen) {
                throw new IllegalStateException("votes were lost");
            }
            seen = now;
            Thread.sleep(20);
        }
        stop = true;
        for (Thread t : clerks) {
            t.join();
        }
        if (box.with(BallotBox::total) != cast.get()) {
            throw new IllegalStateException("cast " + cast + " but counted otherwise");
        }
        System.out.println("DONE " + cast);
    }
}
