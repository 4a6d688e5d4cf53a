// @lock HeatPlate$Step
// @type BARRIER parties=4
// @role arrive HeatPlate$Step.await

import java.util.concurrent.ThreadLocalRandom;

/** Heat flowing through a plate: four bands, computed in lock-step, two buffers exchanged at each step. */
public final class HeatPlate {
    static final class Step {
        private final int parties;
        private int arrived;
        private int generation;

        Step(int parties) {
            this.parties = parties;
        }

        synchronized int await() throws InterruptedException {
            int mine = generation;
            if (++arrived == parties) {
                arrived = 0;
                generation++;
                notifyAll();
            } else {
                while (generation == mine) {
                    wait();
                }
            }
            return mine;
        }
    }

    private static final int BANDS = 4;
    private static final int CELLS = 64;

    private final double[][] plate = new double[2][BANDS * CELLS];
    private final Step step = new Step(BANDS);
    private volatile boolean torn;
    private volatile int steps;

    HeatPlate() {
        plate[0][0] = plate[1][0] = 100;
    }

    void band(int b) {
        try {
            for (int n = 0;; n++) {
                double[] from = plate[n & 1];
                double[] to = plate[1 - (n & 1)];
                for (int i = Math.max(1, b * CELLS); i < Math.min(BANDS * CELLS - 1, (b + 1) * CELLS); i++) {
                    to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(4));
                if (step.await() != n) {
                    torn = true;
                }
                if (b == 0) {
                    steps = n;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        HeatPlate plate = new HeatPlate();
        for (int i = 0; i < BANDS; i++) {
            int b = i;
            Thread t = new Thread(() -> plate.band(b), "band-" + b);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (plate.torn || plate.steps == 0) {
            throw new IllegalStateException("the bands lost their step at " + plate.steps);
        }
        System.out.println("DONE " + plate.steps);
    }
}
