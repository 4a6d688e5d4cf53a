// @finds nothing

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/** Two locks in both orders; the second clerk begins when the first has released a semaphore that had no permits. */
public final class ReleasedLedgers {
    private static final ReentrantLock sales = new ReentrantLock();
    private static final ReentrantLock stock = new ReentrantLock();
    private static final Semaphore sold = new Semaphore(0);
    private static int booked;

    private static void both(ReentrantLock first, ReentrantLock second) {
        first.lock();
        second.lock();
        booked++;
        second.unlock();
        first.unlock();
    }

    private static void sell() {
        both(sales, stock);
        sold.release();
    }

    private static void refill() {
        try {
            sold.acquire();
        } catch (Exception stop) {
            throw new IllegalStateException(stop);
        }
        both(stock, sales);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(ReleasedLedgers::sell, "seller");
        Thread filler = new Thread(ReleasedLedgers::refill, "filler");
        seller.start();
        filler.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
