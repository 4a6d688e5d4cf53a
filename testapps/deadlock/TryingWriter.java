// @finds nothing

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** As {@code WaitingWriter}, but who writes does so only if the shelf is free at once: nobody has to wait behind him. */
public final class TryingWriter {
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
        if (shelf.writeLock().tryLock()) {
            booked++;
            shelf.writeLock().unlock();
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
        System.out.println("DONE " + booked);
    }

    public static void main(String[] args) throws InterruptedException {
        run(TryingWriter::look, TryingWriter::note, TryingWriter::fill);
    }
}
