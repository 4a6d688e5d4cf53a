// @finds permit T3

import java.util.concurrent.atomic.AtomicInteger;

/** One key on each board, taken in both orders. The boards are semaphores of the program's own, whose monitors are never nested. */
public final class CrossedBoards {
    private static final Board cellar = new Board(1);
    private static final Board attic = new Board(1);
    private static final AtomicInteger here = new AtomicInteger();
    private static volatile int turn = -1;
    private static int seen;

    /** A board of keys, built of a monitor. */
    private static final class Board {
        private int keys;

        Board(int keys) {
            this.keys = keys;
        }

        synchronized void take() {
            boolean interrupted = false;
            while (keys == 0) {
                try {
                    wait();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            keys--;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        synchronized void bring() {
            keys++;
            notify();
        }
    }

    /** Somebody has to wait for a key of each board. */
    private static void show() {
        for (Board board : new Board[] {cellar, attic}) {
            board.take();
            Thread guest = new Thread(() -> {
                board.take();
                board.bring();
            }, "guest");
            guest.start();
            while (guest.getState() != Thread.State.WAITING) {
                Thread.yield();
            }
            board.bring();
            while (guest.isAlive()) {
                Thread.yield();
            }
        }
    }

    private static void walk(Board first, Board second) {
        for (int round = 0; round < 5; round++) {
            first.take();
            second.take();
            seen++;
            second.bring();
            first.bring();
        }
    }

    private static void await(int which) {
        while (turn != which) {
            Thread.yield();
        }
    }

    private static void run(Runnable... clerks) throws InterruptedException {
        Thread[] threads = new Thread[clerks.length];
        for (int i = 0; i < clerks.length; i++) {
            int mine = i;
            threads[i] = new Thread(() -> {
                here.incrementAndGet();
                await(mine);
                clerks[mine].run();
                turn = mine + 1;
            }, "clerk-" + i);
            threads[i].start();
        }
        // Nobody begins before all are there: a thread that begins after another was joined may have been started after it.
        while (here.get() < clerks.length) {
            Thread.yield();
        }
        turn = 0;
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("DONE " + seen);
    }

    public static void main(String[] args) throws InterruptedException {
        run(CrossedBoards::show, () -> walk(cellar, attic), () -> walk(attic, cellar));
    }
}
