// @lock MatrixSweep$Sweep
// @type BARRIER parties=4
// @role arrive MatrixSweep$Rendezvous.arrive

import java.util.concurrent.ThreadLocalRandom;

/** Relaxation of a matrix by four workers; a bit for each worker says who is there, the last one closes the sweep. */
public final class MatrixSweep {
    abstract static class Rendezvous {
        private final Object monitor = this;
        private final long everybody;
        private long present;
        private int sweep;

        Rendezvous(int parties) {
            everybody = (1L << parties) - 1;
        }

        /** Runs under the lock, in the thread of whoever came last. */
        abstract void allHere(int finished);

        final void arrive(int who) throws InterruptedException {
            synchronized (monitor) {
                if ((present & 1L << who) != 0) {
                    throw new IllegalStateException("worker " + who + " is here already");
                }
                present |= 1L << who;
                if (present == everybody) {
                    present = 0;
                    allHere(sweep++);
                    monitor.notifyAll();
                    return;
                }
                int mine = sweep;
                do {
                    monitor.wait();
                } while (mine == sweep);
            }
        }
    }

    static final class Sweep extends Rendezvous {
        private final double[] moved;
        private double[][] from = new double[SIZE][SIZE];
        private double[][] to = new double[SIZE][SIZE];
        private volatile int done;
        private volatile double last = Double.MAX_VALUE;

        Sweep(int workers) {
            super(workers);
            moved = new double[workers];
            reset();
        }

        private void reset() {
            for (int i = 0; i < SIZE; i++) {
                for (int j = 0; j < SIZE; j++) {
                    from[i][j] = i == 0 ? 100 : 0;
                    to[i][j] = from[i][j];
                }
            }
        }

        @Override
        void allHere(int finished) {
            double[][] t = from;
            from = to;
            to = t;
            double sum = 0;
            for (double d : moved) {
                sum += d;
            }
            if (finished % 100 == 99) {
                reset();
                last = Double.MAX_VALUE;
            } else {
                broken |= sum > last * 1.0001;
                last = sum;
            }
            done = finished + 1;
        }

        void band(int who) throws InterruptedException {
            double sum = 0;
            int rows = (SIZE - 2) / moved.length;
            for (int i = 1 + who * rows; i < 1 + (who + 1) * rows; i++) {
                for (int j = 1; j < SIZE - 1; j++) {
                    to[i][j] = (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) / 4;
                    sum += Math.abs(to[i][j] - from[i][j]);
                }
            }
            moved[who] = sum;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            arrive(who);
        }
    }

    private static final int SIZE = 42;
    private static volatile boolean broken;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Sweep sweep = new Sweep(4);
        for (int i = 0; i < 4; i++) {
            int who = i;
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        sweep.band(who);
                    }
                } catch (InterruptedException | IllegalStateException e) {
                    broken = true;
                }
            }, "worker-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken || sweep.done == 0) {
            throw new IllegalStateException("the matrix does not settle");
        }
        System.out.println("DONE " + sweep.done);
    }
}
