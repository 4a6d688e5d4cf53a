// @finds nested-wait T3

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * As {@code QueueDelivery}, but there is a crate on the ramp when the shop opens: who brought it does not come again while it is
 * open, and so helps nobody who waits for the next one.
 */
public final class SeededDelivery {
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
        try {
            while (buyer == null || buyer.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
        ramp.add("crate");
    }

    private static void buy() {
        try {
            ramp.take();
            synchronized (shop) {
                ramp.take();
            }
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ramp.add("first");
        Thread driver = new Thread(SeededDelivery::drive, "driver");
        driver.start();
        while (!through) {
            Thread.sleep(1);
        }
        Thread second = new Thread(SeededDelivery::buy, "buyer");
        second.start();
        buyer = second;
        driver.join();
        second.join();
        ramp.add("last");
        System.out.println("DONE " + visits);
    }
}
