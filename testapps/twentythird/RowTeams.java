// @lock RowTeams$Stroke
// @type BARRIER parties=4
// @role arrive RowTeams$Stroke.together
//
// @lock RowTeams$Split
// @type LATCH count=1 form=future
// @role count-down RowTeams$Split.set
// @role await RowTeams$Split.get

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A rowing boat of four that pulls in time, and split times that a timekeeper works out on demand. */
public class RowTeams {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    /** Counts down and flips its sense; every rower remembers the sense of the stroke before. */
    static class Stroke {
        private int missing = 4;
        private boolean sense;

        void together(boolean mine) throws InterruptedException {
            synchronized (this) {
                missing--;
                if (missing == 0) {
                    missing = 4;
                    sense = mine;
                    notifyAll();
                } else {
                    while (sense != mine) {
                        wait();
                    }
                }
            }
        }
    }

    static class Split {
        private Long nanos;

        synchronized void set(long n) {
            if (nanos != null) {
                throw new IllegalStateException("split set twice");
            }
            nanos = n;
            notifyAll();
        }

        synchronized long get() throws InterruptedException {
            while (nanos == null) {
                wait();
            }
            return nanos;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int boat = 0; boat < 2; boat++) {
            Stroke stroke = new Stroke();
            AtomicInteger pulled = new AtomicInteger();
            for (int i = 0; i < 4; i++) {
                boolean[] sense = new boolean[1];
                int[] strokes = new int[1];
                loop("rower-" + boat + i, () -> {
                    nap(2, 9);
                    pulled.incrementAndGet();
                    sense[0] = !sense[0];
                    stroke.together(sense[0]);
                    int all = pulled.get();
                    strokes[0]++;
                    check(all >= 4 * strokes[0] && all < 4 * strokes[0] + 4, "out of time");
                });
            }
        }
        AtomicReference<Split> wanted = new AtomicReference<>();
        loop("coach", () -> {
            Split split = new Split();
            wanted.set(split);
            check(split.get() > 0, "no split");
            nap(1, 4);
        });
        loop("timekeeper", () -> {
            nap(3, 7);
            Split split = wanted.getAndSet(null);
            if (split != null) {
                split.set(1 + ThreadLocalRandom.current().nextInt(90));
            }
        });
        finish(args);
    }
}
