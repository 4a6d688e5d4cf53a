// @finds nested-wait T3

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The buyer takes from a queue and keeps the shop locked. The driver goes through the shop before he puts: this time he was
 * through before the buyer came.
 */
public final class QueueDelivery {
    private static final Object shop = new Object();
    private static final BlockingQueue<String> ramp = new LinkedBlockingQueue<>();
    private static int visits;
    private static volatile boolean through;
    private static volatile Thread buyer;

    private static void drive() {
        synchronized (shop) {
            visits++;
        }
        through = true;
        while (buyer == null || buyer.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        ramp.add("crate");
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
        Thread driver = new Thread(QueueDelivery::drive, "driver");
        driver.start();
        while (!through) {
            Thread.yield();
        }
        Thread second = new Thread(QueueDelivery::buy, "buyer");
        second.start();
        buyer = second;
        driver.join();
        second.join();
        System.out.println("DONE " + visits);
    }
}
