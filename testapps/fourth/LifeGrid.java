// @lock LifeGrid$StepBarrier
// @type BARRIER parties=4
// @role arrive LifeGrid$StepBarrier.await

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Conway's game of life on a torus, in four bands; the last band of a step swaps the boards for everybody. */
public class LifeGrid {
    static class StepBarrier {
        private static class Generation {
            boolean tripped;
        }

        private final int parties;
        private final Runnable action;
        private Generation generation = new Generation();
        private int missing;

        StepBarrier(int parties, Runnable action) {
            this.parties = parties;
            this.action = action;
            this.missing = parties;
        }

        synchronized int await() throws InterruptedException {
            Generation mine = generation;
            int index = --missing;
            if (index == 0) {
                action.run();
                mine.tripped = true;
                generation = new Generation();
                missing = parties;
                notifyAll();
                return 0;
            }
            while (!mine.tripped) {
                wait();
            }
            return index;
        }
    }

    private static final int SIZE = 32;
    private final AtomicInteger computed = new AtomicInteger();
    private boolean[][] now = new boolean[SIZE][SIZE];
    private boolean[][] next = new boolean[SIZE][SIZE];
    private final StepBarrier barrier = new StepBarrier(4, this::swap);
    volatile int steps;
    volatile String fault;

    private void swap() {
        if (computed.getAndSet(0) != SIZE) {
            fault = "a step was taken with rows missing";
        }
        boolean[][] old = now;
        now = next;
        next = old;
        steps++;
    }

    private int neighbours(int row, int column) {
        int sum = 0;
        for (int dr = -1; dr <= 1; dr++) {
            for (int dc = -1; dc <= 1; dc++) {
                if ((dr != 0 || dc != 0) && now[(row + dr + SIZE) % SIZE][(column + dc + SIZE) % SIZE]) {
                    sum++;
                }
            }
        }
        return sum;
    }

    private void band(int number) {
        try {
            for (;;) {
                for (int r = number * 8; r < number * 8 + 8; r++) {
                    for (int c = 0; c < SIZE; c++) {
                        int n = neighbours(r, c);
                        next[r][c] = n == 3 || n == 2 && now[r][c];
                    }
                    computed.incrementAndGet();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
                barrier.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int alive() {
        int alive = 0;
        for (boolean[] row : now) {
            for (boolean cell : row) {
                alive += cell ? 1 : 0;
            }
        }
        return alive;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        LifeGrid life = new LifeGrid();
        int[][] glider = {{1, 2}, {2, 3}, {3, 1}, {3, 2}, {3, 3}};
        for (int[] cell : glider) {
            life.now[cell[0]][cell[1]] = true;
        }
        for (int i = 0; i < 4; i++) {
            int number = i;
            Thread t = new Thread(() -> life.band(number), "band-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        synchronized (life.barrier) {
            if (life.fault != null || life.alive() != 5) {
                throw new IllegalStateException(life.fault + ", " + life.alive() + " cells alive");
            }
        }
        System.out.println("DONE " + life.steps);
    }
}
