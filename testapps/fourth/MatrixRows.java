// @lock MatrixRows$RowTask
// @type JOIN
// @role join java.lang.Thread.join

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Matrix products with a thread for each row, started and joined, over and over, by two masters. */
public class MatrixRows {
    abstract static class Task extends Thread {
        @Override
        public final void run() {
            prepare();
            compute();
        }

        void prepare() {
            try {
                sleep(ThreadLocalRandom.current().nextInt(2, 9));
            } catch (InterruptedException e) {
                interrupt();
            }
        }

        abstract void compute();
    }

    static class RowTask extends Task {
        private final int[] row;
        private final int[][] matrix;
        private int[] product;

        RowTask(int[] row, int[][] matrix) {
            this.row = row;
            this.matrix = matrix;
        }

        @Override
        void compute() {
            int[] sums = new int[matrix[0].length];
            for (int c = 0; c < sums.length; c++) {
                for (int k = 0; k < row.length; k++) {
                    sums[c] += row[k] * matrix[k][c];
                }
            }
            product = sums;
        }
    }

    static class Master extends Thread {
        private final int[][] unit = {{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}};

        @Override
        public void run() {
            try {
                while (!isInterrupted()) {
                    multiply();
                    sleep(3);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }

        private void multiply() throws InterruptedException {
            RowTask[] tasks = new RowTask[4];
            for (int i = 0; i < tasks.length; i++) {
                tasks[i] = new RowTask(unit[i], unit);
                tasks[i].start();
            }
            for (int i = 0; i < tasks.length; i++) {
                tasks[i].join();
                if (tasks[i].product == null || tasks[i].product[i] != 1) {
                    wrong.incrementAndGet();
                }
            }
            done.incrementAndGet();
        }
    }

    static final AtomicLong done = new AtomicLong();
    static final AtomicLong wrong = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            Master master = new Master();
            master.setDaemon(true);
            master.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (wrong.get() > 0) {
            throw new IllegalStateException(wrong + " rows wrong");
        }
        System.out.println("DONE " + done);
    }
}
