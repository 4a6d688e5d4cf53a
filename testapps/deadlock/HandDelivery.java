// @finds nested-wait T3

import java.util.concurrent.SynchronousQueue;

/**
 * The buyer keeps the shop locked while he waits for somebody to hand him a crate. The driver goes through the shop before he
 * does: this time he was through before the buyer came.
 */
public final class HandDelivery {
    private static final Object shop = new Object();
    private static final SynchronousQueue<String> ramp = new SynchronousQueue<>();
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
            ramp.put("crate");
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void buy() {
        synchronized (shop) {
            try {
                ramp.take();
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(HandDelivery::drive, "driver");
        driver.start();
        while (!through) {
            Thread.sleep(1);
        }
        Thread buyer = new Thread(HandDelivery::buy, "buyer");
        buyer.start();
        driver.join();
        buyer.join();
        System.out.println("DONE " + visits);
    }
}
