// @lock OddEven$Phase
// @type BARRIER parties=4
// @role arrive OddEven$Phase.step

import java.util.Arrays;
import java.util.Random;

/** Odd-even transposition sort from a course on parallel machines: four processors, all of them done with a phase before the next. */
public class OddEven {
    static final int P = 4;
    static final int N = 32;

    /** Arrivals are numbered for ever; number n may go on when its whole group of P has arrived. */
    static class Phase {
        private long arrived;

        synchronized void step() throws InterruptedException {
            long goal = (arrived / P + 1) * P;
            if (++arrived == goal) {
                notifyAll();
            } else {
                do {
                    wait();
                } while (arrived < goal);
            }
        }
    }

    static final int[] cells = new int[N];
    static final Phase phase = new Phase();
    static volatile long sorts;
    static volatile boolean failed;

    static class Processor extends Thread {
        final int id;
        final Random random = new Random(11);

        Processor(int id) {
            this.id = id;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!failed) {
                    if (id == 0) {
                        for (int i = 0; i < N; i++) {
                            cells[i] = random.nextInt(1000);
                        }
                    }
                    phase.step();
                    for (int k = 0; k < N; k++) {
                        exchange(k & 1);
                        if ((k + id) % 5 == 0) {
                            sleep(1);
                        }
                        phase.step();
                    }
                    if (id == 0) {
                        int[] copy = cells.clone();
                        Arrays.sort(copy);
                        failed |= !Arrays.equals(copy, cells);
                        sorts++;
                    }
                    phase.step();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }

        private void exchange(int odd) {
            int width = N / P;
            for (int i = id * width + odd; i < (id + 1) * width + odd && i + 1 < N; i += 2) {
                if (cells[i] > cells[i + 1]) {
                    int t = cells[i];
                    cells[i] = cells[i + 1];
                    cells[i + 1] = t;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < P; i++) {
            new Processor(i).start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (failed) {
            System.err.println("not sorted after " + N + " phases");
            System.exit(1);
        }
        System.out.println("DONE " + sorts);
    }
}
