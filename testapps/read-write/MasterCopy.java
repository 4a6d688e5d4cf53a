// @lock MasterCopy$Shelf
// @type READ-WRITE reentrant=false
// @role read-lock MasterCopy$Shelf.open
// @role read-unlock MasterCopy$Shelf.close
// @role write-lock MasterCopy$Shelf.reserve
// @role write-lock MasterCopy$Shelf.correct
// @role write-unlock MasterCopy$Shelf.hand

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Whoever means to correct the master copy reserves it first, and reads on beside the others until he writes. */
public final class MasterCopy {
    static final class Shelf {
        private int readers;
        private Thread editor;
        private boolean writing;

        synchronized void open() throws InterruptedException {
            while (writing) {
                wait();
            }
            readers++;
        }

        synchronized void close() {
            if (--readers == 0) {
                notifyAll();
            }
        }

        synchronized void reserve() throws InterruptedException {
            while (editor != null) {
                wait();
            }
            editor = Thread.currentThread();
        }

        synchronized void correct() throws InterruptedException {
            if (editor != Thread.currentThread()) {
                throw new IllegalStateException("not reserved");
            }
            while (readers > 0) {
                wait();
            }
            writing = true;
        }

        synchronized void hand() {
            writing = false;
            editor = null;
            notifyAll();
        }
    }

    private final Shelf shelf = new Shelf();
    private final AtomicLong readings = new AtomicLong();
    private long left;
    private long right;
    private volatile boolean torn;
    private volatile boolean closed;

    private void reader() {
        try {
            while (!closed) {
                shelf.open();
                try {
                    long before = left;
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                    if (before != right) {
                        torn = true;
                    }
                    readings.incrementAndGet();
                } finally {
                    shelf.close();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void editor() {
        try {
            while (!closed) {
                shelf.reserve();
                try {
                    Thread.sleep(1);
                    if (ThreadLocalRandom.current().nextInt(3) > 0) {
                        shelf.correct();
                        left++;
                        Thread.sleep(1);
                        right++;
                    }
                } finally {
                    shelf.hand();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        MasterCopy copy = new MasterCopy();
        Thread[] people = new Thread[6];
        for (int i = 0; i < people.length; i++) {
            people[i] = i < 4 ? new Thread(copy::reader, "reader-" + i) : new Thread(copy::editor, "editor-" + i);
            people[i].setDaemon(true);
            people[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        copy.closed = true;
        for (Thread t : people) {
            t.join(5_000);
        }
        if (copy.torn || copy.left != copy.right) {
            throw new IllegalStateException("a reader saw half a correction");
        }
        System.out.println("DONE " + copy.readings);
    }
}
