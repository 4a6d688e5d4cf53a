// @finds nothing

import java.util.ArrayDeque;

/**
 * As {@code CirculatingCrates}, with a rack that is made of a monitor: whoever has a board needs the shop no more to bring it
 * back.
 */
public final class CirculatingBoards {
    /** What lies on a rack. */
    static final class Rack {
        private final ArrayDeque<String> boards = new ArrayDeque<>();

        synchronized void put(String board) {
            boards.addLast(board);
            notify();
        }

        synchronized String take() throws InterruptedException {
            while (boards.isEmpty()) {
                wait();
            }
            return boards.removeFirst();
        }
    }

    private static final Object shop = new Object();
    private static final Rack rack = new Rack();
    private static int borrowed;

    private static void work() {
        try {
            for (int round = 0; round < 40; round++) {
                String board;
                synchronized (shop) {
                    board = rack.take();
                    borrowed++;
                }
                Thread.sleep(1);
                rack.put(board);
            }
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        synchronized (shop) {
            rack.put("first");
            rack.put("second");
        }
        Thread[] workers = new Thread[4];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(CirculatingBoards::work, "worker-" + i);
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println("DONE " + borrowed);
    }
}
