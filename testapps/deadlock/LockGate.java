// @finds nothing

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Two locks in both orders, within a third that only one clerk has at a time. */
public final class LockGate {
    private static final ReentrantLock office = new ReentrantLock();
    private static final ReentrantLock sales = new ReentrantLock();
    private static final ReentrantLock stock = new ReentrantLock();
    private static final AtomicInteger here = new AtomicInteger();
    private static volatile int turn = -1;
    private static int booked;

    private static void both(ReentrantLock first, ReentrantLock second) {
        office.lock();
        first.lock();
        second.lock();
        booked++;
        second.unlock();
        first.unlock();
        office.unlock();
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
        run(() -> both(sales, stock), () -> both(stock, sales));
    }
}
