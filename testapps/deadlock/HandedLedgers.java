// @finds nothing

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Two locks in both orders; the second clerk waits for what the first puts into a queue when he has sold. */
public final class HandedLedgers {
    private static final ReentrantLock sales = new ReentrantLock();
    private static final ReentrantLock stock = new ReentrantLock();
    private static final BlockingQueue<String> desk = new LinkedBlockingQueue<>();
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
        try {
            desk.put("receipt");
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void refill() {
        try {
            desk.take();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
        both(stock, sales);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread filler = new Thread(HandedLedgers::refill, "filler");
        Thread seller = new Thread(HandedLedgers::sell, "seller");
        filler.start();
        seller.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
