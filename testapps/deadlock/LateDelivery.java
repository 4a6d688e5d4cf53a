// @finds nested-wait T3

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Buyer and driver meet at a barrier, the buyer with the shop locked. He comes last, so that he does not wait this time.
 */
public final class LateDelivery {
    private static final Object shop = new Object();
    private static final CyclicBarrier ramp = new CyclicBarrier(2);
    private static int visits;
    private static volatile boolean through;

    private static void goThrough() {
        synchronized (shop) {
            visits++;
        }
    }

    private static void drive() {
        goThrough();
        through = true;
        try {
            ramp.await();
        } catch (InterruptedException | BrokenBarrierException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void buy() {
        synchronized (shop) {
            try {
                ramp.await();
            } catch (InterruptedException | BrokenBarrierException stop) {
                throw new IllegalStateException(stop);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(LateDelivery::drive, "driver");
        driver.start();
        while (!through) {
            Thread.sleep(1);
        }
        while (driver.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        Thread buyer = new Thread(LateDelivery::buy, "buyer");
        buyer.start();
        driver.join();
        buyer.join();
        System.out.println("DONE " + visits);
    }
}
