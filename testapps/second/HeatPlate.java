// @lock HeatPlate$StepBarrier
// @type BARRIER parties=5
// @role arrive HeatPlate$StepBarrier.barrier

import java.util.Arrays;

/** Jacobi relaxation in five strips with a cyclic barrier that runs a command and counts its resets. */
public class HeatPlate {
    static class StepBarrier {
        protected final int parties_;
        protected int count_;
        protected int resets_ = 0;
        protected final Runnable barrierCommand_;

        StepBarrier(int parties, Runnable command) {
            if (parties <= 0) {
                throw new IllegalArgumentException();
            }
            parties_ = parties;
            count_ = parties;
            barrierCommand_ = command;
        }

        /** Returns the arrival index: parties - 1 for the first, 0 for the last. */
        synchronized int barrier() throws InterruptedException {
            int index = --count_;
            if (index > 0) {
                int r = resets_;
                do {
                    wait();
                } while (r == resets_);
            } else {
                count_ = parties_;
                ++resets_;
                notifyAll();
                if (barrierCommand_ != null) {
                    barrierCommand_.run();
                }
            }
            return index;
        }
    }

    final int rows = 20;
    final int cols = 60;
    double[][] cur = new double[rows + 2][cols + 2];
    double[][] next = new double[rows + 2][cols + 2];
    volatile int steps;
    volatile String failed;
    final int[] stripSteps;
    final StepBarrier barrier;

    HeatPlate(int strips) {
        stripSteps = new int[strips];
        Arrays.fill(cur[0], 100.0);
        Arrays.fill(next[0], 100.0);
        barrier = new StepBarrier(strips, this::swap);
    }

    private void swap() {
        for (int s : stripSteps) {
            if (s != steps + 1) {
                failed = "strip at step " + s + " instead of " + (steps + 1);
            }
        }
        double[][] t = cur;
        cur = next;
        next = t;
        steps++;
    }

    private void strip(int s) {
        int from = 1 + s * rows / stripSteps.length;
        int to = 1 + (s + 1) * rows / stripSteps.length;
        try {
            while (true) {
                for (int i = from; i < to; i++) {
                    for (int j = 1; j <= cols; j++) {
                        next[i][j] = 0.25 * (cur[i - 1][j] + cur[i + 1][j] + cur[i][j - 1] + cur[i][j + 1]);
                    }
                }
                stripSteps[s]++;
                Thread.sleep((s + steps) % 5);
                barrier.barrier();
            }
        } catch (InterruptedException e) {
            failed = "interrupted";
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        HeatPlate p = new HeatPlate(5);
        for (int i = 0; i < 5; i++) {
            int s = i;
            Thread t = new Thread(() -> p.strip(s), "strip-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (p.failed != null) {
            System.out.println(p.failed);
            System.exit(1);
        }
        System.out.println("DONE " + p.steps);
    }
}
