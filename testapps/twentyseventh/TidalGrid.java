// @lock TidalGrid$StepBarrier
// @type BARRIER parties=3
// @role arrive TidalGrid$StepBarrier.await
//
// @lock TidalGrid$Extremes
// @type MUTEX
// @role enter TidalGrid$Solver.run

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** Water levels on a grid in three bands, stepped together; each step's highest and lowest level is gathered in one record. */
public class TidalGrid {
    static final int BANDS = 3;
    static final int WIDTH = 96;
    static volatile String fault;
    static final AtomicLong steps = new AtomicLong();

    /** Cyclic barrier; a generation is an object of its own, and the last to arrive runs the action. */
    static final class StepBarrier {
        private static final class Generation {
            boolean broken;
        }

        private final int parties;
        private final Runnable action;
        private int missing;
        private Generation generation = new Generation();

        StepBarrier(int parties, Runnable action) {
            this.parties = parties;
            this.action = action;
            this.missing = parties;
        }

        int await() throws InterruptedException {
            synchronized (this) {
                final Generation mine = generation;
                int index = --missing;
                if (index == 0) {
                    action.run();
                    generation = new Generation();
                    missing = parties;
                    notifyAll();
                    return 0;
                }
                while (mine == generation && !mine.broken) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        mine.broken = true;
                        notifyAll();
                        throw e;
                    }
                }
                return index;
            }
        }
    }

    static final class Extremes {
        double low = Double.MAX_VALUE;
        double high = -Double.MAX_VALUE;
        int reports;
    }

    static double[] now = new double[WIDTH];
    static double[] next = new double[WIDTH];
    static final Extremes extremes = new Extremes();
    static final int[] stepOf = new int[BANDS];

    static final StepBarrier barrier = new StepBarrier(BANDS, () -> {
        double[] t = now;
        now = next;
        next = t;
        for (int s : stepOf) {
            if (s != stepOf[0]) {
                fault = "bands out of step: " + Arrays.toString(stepOf);
            }
        }
        steps.incrementAndGet();
    });

    static final class Solver implements Runnable {
        private final int band;

        Solver(int band) {
            this.band = band;
        }

        @Override
        public void run() {
            int from = band * WIDTH / BANDS;
            int to = from + WIDTH / BANDS;
            try {
                for (;;) {
                    double lo = Double.MAX_VALUE;
                    double hi = -Double.MAX_VALUE;
                    for (int i = from; i < to; i++) {
                        double left = now[(i + WIDTH - 1) % WIDTH];
                        double right = now[(i + 1) % WIDTH];
                        next[i] = 0.5 * now[i] + 0.25 * (left + right);
                        lo = Math.min(lo, next[i]);
                        hi = Math.max(hi, next[i]);
                    }
                    stepOf[band]++;
                    Thread.sleep(2 + band);
                    barrier.await();
                    synchronized (extremes) {
                        int before = extremes.reports;
                        extremes.low = Math.min(extremes.low, lo);
                        extremes.high = Math.max(extremes.high, hi);
                        Thread.sleep(1);
                        extremes.reports++;
                        if (extremes.reports != before + 1 || extremes.low > extremes.high) {
                            fault = "extremes lost a report";
                        }
                    }
                }
            } catch (InterruptedException | RuntimeException e) {
                fault = e.toString();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < WIDTH; i++) {
            now[i] = Math.sin(i * 0.4);
        }
        for (int b = 0; b < BANDS; b++) {
            Thread t = new Thread(new Solver(b), "band-" + b);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + steps.get());
        System.exit(0);
    }
}
