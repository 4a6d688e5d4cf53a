// @finds nested-wait T3

import java.util.concurrent.LinkedTransferQueue;

/**
 * As {@code HandDelivery}, the other way round: the buyer keeps the shop locked until somebody has taken his crate.
 */
public final class TransferDelivery {
    private static final Object shop = new Object();
    private static final LinkedTransferQueue<String> ramp = new LinkedTransferQueue<>();
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
            ramp.take();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void buy() {
        synchronized (shop) {
            try {
                ramp.transfer("crate");
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(TransferDelivery::drive, "driver");
        driver.start();
        while (!through) {
            Thread.sleep(1);
        }
        Thread buyer = new Thread(TransferDelivery::buy, "buyer");
        buyer.start();
        driver.join();
        buyer.join();
        System.out.println("DONE " + visits);
    }
}
