// @lock CellTurn$Cell
// @type LOCK reentrant=false
// @role lock CellTurn$QueuedLock.lock
// @role unlock CellTurn$QueuedLock.unlock

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Editors of one document queue for it: whoever finds it taken leaves a cell in a list and waits on the cell; leaving means to
 * open the first cell, by which the lock passes to its thread. Queue and cells together are one lock.
 */
public final class CellTurn {
    static final class Cell {
        private boolean open;

        synchronized void await() throws InterruptedException {
            while (!open) {
                wait();
            }
        }

        synchronized void open() {
            open = true;
            notify();
        }
    }

    static final class QueuedLock {
        private final LinkedList<Cell> queue = new LinkedList<>();
        private boolean taken;

        void lock() throws InterruptedException {
            Cell cell = null;
            synchronized (this) {
                if (!taken) {
                    taken = true;
                } else {
                    cell = new Cell();
                    queue.addLast(cell);
                }
            }
            if (cell != null) {
                cell.await();
            }
        }

        void unlock() {
            synchronized (this) {
                if (queue.isEmpty()) {
                    taken = false;
                } else {
                    queue.removeFirst().open();
                }
            }
        }
    }

    private final QueuedLock access = new QueuedLock();
    private final StringBuilder text = new StringBuilder();
    private final AtomicLong edits = new AtomicLong();
    private volatile boolean torn;
    private volatile boolean quit;

    private void edit(char c) throws InterruptedException {
        access.lock();
        try {
            int n = text.length();
            text.append(c);
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            text.append(c);
            if (text.length() != n + 2 || text.charAt(n) != c) {
                torn = true;
            }
            if (n > 1_000) {
                text.setLength(0);
            }
        } finally {
            access.unlock();
        }
        edits.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        CellTurn document = new CellTurn();
        Thread[] editors = new Thread[6];
        for (int i = 0; i < editors.length; i++) {
            char c = (char) ('a' + i);
            editors[i] = new Thread(() -> {
                try {
                    while (!document.quit) {
                        document.edit(c);
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 9));
                    }
                } catch (InterruptedException e) {
                    document.torn = true;
                }
            }, "editor-" + c);
            editors[i].setDaemon(true);
            editors[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        document.quit = true;
        for (Thread t : editors) {
            t.join(5_000);
        }
        if (document.torn || document.edits.get() == 0) {
            throw new IllegalStateException("two editors at once");
        }
        System.out.println("DONE " + document.edits);
    }
}
