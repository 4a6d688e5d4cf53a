// @finds nothing

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.ReentrantLock;

/** Two locks in both orders; the clerks meet at a barrier in between. */
public final class BarrierLedgers {
    private static final ReentrantLock sales = new ReentrantLock();
    private static final ReentrantLock stock = new ReentrantLock();
    private static final CyclicBarrier noon = new CyclicBarrier(2);
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
            noon.await();
        } catch (InterruptedException | BrokenBarrierException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void refill() {
        try {
            noon.await();
        } catch (Exception stop) {
            throw new IllegalStateException(stop);
        }
        both(stock, sales);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(BarrierLedgers::sell, "seller");
        Thread filler = new Thread(BarrierLedgers::refill, "filler");
        seller.start();
        filler.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
