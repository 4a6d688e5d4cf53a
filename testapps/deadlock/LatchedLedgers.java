// @finds nothing

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** Two locks in both orders; the second clerk begins when the first has counted a latch down. */
public final class LatchedLedgers {
    private static final ReentrantLock sales = new ReentrantLock();
    private static final ReentrantLock stock = new ReentrantLock();
    private static final CountDownLatch sold = new CountDownLatch(1);
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
        sold.countDown();
    }

    private static void refill() {
        try {
            sold.await();
        } catch (Exception stop) {
            throw new IllegalStateException(stop);
        }
        both(stock, sales);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(LatchedLedgers::sell, "seller");
        Thread filler = new Thread(LatchedLedgers::refill, "filler");
        seller.start();
        filler.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
