// @finds read-write T3

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Two read the shelf, one within the list and one around it. A reader waits behind a writer that waits, so a third who writes closes the circle. */
public final class WaitingWriter {
    private static final ReentrantReadWriteLock shelf = new ReentrantReadWriteLock();
    private static final Object list = new Object();
    private static final AtomicInteger here = new AtomicInteger();
    private static volatile int turn = -1;
    private static int booked;

    private static void look() {
        shelf.readLock().lock();
        synchronized (list) {
            booked++;
        }
        shelf.readLock().unlock();
    }

    private static void note() {
        synchronized (list) {
            shelf.readLock().lock();
            booked++;
            shelf.readLock().unlock();
        }
    }

    private static void fill() {
        shelf.writeLock().lock();
        booked++;
        shelf.writeLock().unlock();
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
        System.out.println("DONE " + booked);
    }

    public static void main(String[] args) throws InterruptedException {
        run(WaitingWriter::look, WaitingWriter::note, WaitingWriter::fill);
    }
}
