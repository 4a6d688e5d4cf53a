// @finds order T3

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** The ledgers of {@code CrossedLedgers}: one is a lock of java.util.concurrent, the other a monitor. A turn that no lock knows of keeps the clerks apart. */
public final class LockLedgers {
    private static final ReentrantLock sales = new ReentrantLock();
    private static final Object stock = new Object();
    private static final AtomicInteger here = new AtomicInteger();
    private static volatile int turn = -1;
    private static int booked;

    private static void sell() {
        sales.lock();
        try {
            synchronized (stock) {
                booked++;
            }
        } finally {
            sales.unlock();
        }
    }

    private static void refill() {
        synchronized (stock) {
            sales.lock();
            booked++;
            sales.unlock();
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
        run(LockLedgers::sell, LockLedgers::refill);
    }
}
