// @finds nested-wait T3

import java.util.concurrent.Phaser;

/** As {@code HandDelivery}; the driver only says that he has come, the buyer waits for that. */
public final class PhasedDelivery {
    private static final Object shop = new Object();
    private static final Phaser ramp = new Phaser(2);
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
        ramp.arrive();
    }

    private static void buy() {
        synchronized (shop) {
            ramp.arriveAndAwaitAdvance();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(PhasedDelivery::drive, "driver");
        driver.start();
        while (!through) {
            Thread.sleep(1);
        }
        Thread buyer = new Thread(PhasedDelivery::buy, "buyer");
        buyer.start();
        driver.join();
        buyer.join();
        System.out.println("DONE " + visits);
    }
}
