// @lock LifeBands$Barrier
// @type BARRIER parties=4
// @role arrive LifeBands$Barrier.await

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Conway's game of life on a torus, in four bands of rows; main computes the same board alone and compares. */
public class LifeBands {
    /** The cyclic barrier of the textbook, with generations. */
    static class Barrier {
        private final int parties;
        private int missing;
        private int generation;

        Barrier(int parties) {
            this.parties = parties;
            missing = parties;
        }

        synchronized void await() throws InterruptedException {
            int mine = generation;
            if (--missing == 0) {
                missing = parties;
                generation++;
                notifyAll();
                return;
            }
            while (mine == generation) {
                wait();
            }
        }
    }

    static final int SIZE = 32;
    static final int BANDS = 4;
    static final int CHECKED = 100;

    static boolean[][] board = new boolean[SIZE][SIZE];
    static boolean[][] other = new boolean[SIZE][SIZE];
    static boolean[][] snapshot;
    static volatile boolean recorded;
    static final Barrier barrier = new Barrier(BANDS);
    static final AtomicLong steps = new AtomicLong();

    static int neighbours(boolean[][] b, int y, int x) {
        int n = 0;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                if ((dy != 0 || dx != 0) && b[(y + dy + SIZE) % SIZE][(x + dx + SIZE) % SIZE]) {
                    n++;
                }
            }
        }
        return n;
    }

    static void step(boolean[][] from, boolean[][] to, int first, int last) {
        for (int y = first; y < last; y++) {
            for (int x = 0; x < SIZE; x++) {
                int n = neighbours(from, y, x);
                to[y][x] = n == 3 || n == 2 && from[y][x];
            }
        }
    }

    static void band(int number) {
        int rows = SIZE / BANDS;
        Random random = new Random(number);
        try {
            while (true) {
                step(board, other, number * rows, (number + 1) * rows);
                Thread.sleep(random.nextInt(4));
                barrier.await();
                if (number == 0) {
                    boolean[][] swap = board;
                    board = other;
                    other = swap;
                    if (steps.incrementAndGet() == CHECKED) {
                        snapshot = copy(board);
                        recorded = true;
                    }
                }
                barrier.await();
            }
        } catch (InterruptedException e) {
            System.err.println("band " + number + " ends");
        }
    }

    static boolean[][] copy(boolean[][] b) {
        boolean[][] c = new boolean[b.length][];
        for (int i = 0; i < b.length; i++) {
            c[i] = b[i].clone();
        }
        return c;
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Random random = new Random(7);
        for (boolean[] row : board) {
            for (int x = 0; x < SIZE; x++) {
                row[x] = random.nextInt(3) == 0;
            }
        }
        boolean[][] a = copy(board);
        boolean[][] b = copy(board);
        for (int i = 0; i < BANDS; i++) {
            int number = i;
            Thread t = new Thread(() -> band(number), "band-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (int i = 0; i < CHECKED; i++) {
            step(a, b, 0, SIZE);
            boolean[][] swap = a;
            a = b;
            b = swap;
        }
        Thread.sleep(1000L * seconds);
        if (recorded && !java.util.Arrays.deepEquals(a, snapshot) || steps.get() == 0) {
            System.out.println("the bands got out of step");
            System.exit(1);
        }
        System.out.println("DONE " + steps);
    }
}
