// @finds read-write T3

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who writes the file asks for the index; who has the index reads the file. The lock of readers and writers is the program's own, and nobody
 * is in its monitor when he asks for the index.
 */
public final class ClosedReading {
    private static final File file = new File();
    private static final Object index = new Object();
    private static final AtomicInteger here = new AtomicInteger();
    private static volatile int turn = -1;
    private static int seen;

    /** Many may read or one may write. */
    private static final class File {
        private int readers;
        private boolean writing;

        synchronized void openToRead() {
            while (writing) {
                sleep();
            }
            readers++;
        }

        synchronized void closeRead() {
            readers--;
            notifyAll();
        }

        synchronized void openToWrite() {
            while (readers > 0 || writing) {
                sleep();
            }
            writing = true;
        }

        synchronized void closeWritten() {
            writing = false;
            notifyAll();
        }

        private void sleep() {
            try {
                wait();
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }
    }

    /** Somebody who writes has to wait for who reads. */
    private static void show() {
        file.openToRead();
        Thread guest = new Thread(() -> {
            file.openToWrite();
            file.closeWritten();
        }, "guest");
        guest.start();
        while (guest.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        file.closeRead();
        while (guest.isAlive()) {
            Thread.yield();
        }
    }

    private static void write() {
        for (int round = 0; round < 5; round++) {
            file.openToWrite();
            synchronized (index) {
                seen++;
            }
            file.closeWritten();
        }
    }

    private static void read() {
        for (int round = 0; round < 5; round++) {
            synchronized (index) {
                file.openToRead();
                seen++;
                file.closeRead();
            }
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
        run(ClosedReading::show, ClosedReading::write, ClosedReading::read);
    }
}
