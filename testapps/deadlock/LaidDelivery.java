// @finds nested-wait T3

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** As {@code QueueDelivery}, but the crate lay there when the buyer came: this time nobody waited. */
public final class LaidDelivery {
    private static final Object shop = new Object();
    private static final BlockingQueue<String> ramp = new LinkedBlockingQueue<>();
    private static int visits;
    private static volatile boolean laid;

    private static void drive() {
        synchronized (shop) {
            visits++;
        }
        ramp.add("crate");
        laid = true;
    }

    private static void buy() {
        while (!laid) {
            Thread.yield();
        }
        synchronized (shop) {
            try {
                ramp.take();
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(LaidDelivery::drive, "driver");
        Thread buyer = new Thread(LaidDelivery::buy, "buyer");
        driver.start();
        buyer.start();
        driver.join();
        buyer.join();
        System.out.println("DONE " + visits);
    }
}
