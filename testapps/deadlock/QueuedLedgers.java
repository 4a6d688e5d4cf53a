// @finds nothing

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Two locks in both orders; the second clerk begins with what the first has put into a queue. */
public final class QueuedLedgers {
    private static final ReentrantLock sales = new ReentrantLock();
    private static final ReentrantLock stock = new ReentrantLock();
    private static final ArrayBlockingQueue<String> slips = new ArrayBlockingQueue<>(4);
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
        slips.offer("sold");
    }

    private static void refill() {
        try {
            slips.take();
        } catch (Exception stop) {
            throw new IllegalStateException(stop);
        }
        both(stock, sales);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(QueuedLedgers::sell, "seller");
        Thread filler = new Thread(QueuedLedgers::refill, "filler");
        seller.start();
        filler.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
