// @finds read-write T3

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Each reads one shelf and writes the other: nobody can write while the other reads. */
public final class CrossedShelves {
    private static final ReentrantReadWriteLock fruit = new ReentrantReadWriteLock();
    private static final ReentrantReadWriteLock bread = new ReentrantReadWriteLock();
    private static final AtomicInteger here = new AtomicInteger();
    private static volatile int turn = -1;
    private static int booked;

    private static void copy(ReentrantReadWriteLock from, ReentrantReadWriteLock to) {
        from.readLock().lock();
        to.writeLock().lock();
        booked++;
        to.writeLock().unlock();
        from.readLock().unlock();
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
        run(() -> copy(fruit, bread), () -> copy(bread, fruit));
    }
}
