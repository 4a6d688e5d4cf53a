// @finds nothing

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Both read both shelves, in different orders, and nobody ever writes. */
public final class SharedShelves {
    private static final ReentrantReadWriteLock fruit = new ReentrantReadWriteLock();
    private static final ReentrantReadWriteLock bread = new ReentrantReadWriteLock();
    private static final AtomicInteger here = new AtomicInteger();
    private static volatile int turn = -1;
    private static int booked;

    private static void compare(ReentrantReadWriteLock one, ReentrantReadWriteLock other) {
        one.readLock().lock();
        other.readLock().lock();
        booked++;
        other.readLock().unlock();
        one.readLock().unlock();
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
        run(() -> compare(fruit, bread), () -> compare(bread, fruit));
    }
}
