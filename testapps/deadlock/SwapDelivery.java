// @finds nested-wait T3

import java.util.concurrent.Exchanger;

/** As {@code HandDelivery}; a crate is exchanged for an empty one. */
public final class SwapDelivery {
    private static final Object shop = new Object();
    private static final Exchanger<String> ramp = new Exchanger<>();
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
            ramp.exchange("crate");
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void buy() {
        synchronized (shop) {
            try {
                ramp.exchange("empty");
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(SwapDelivery::drive, "driver");
        driver.start();
        while (!through) {
            Thread.sleep(1);
        }
        Thread buyer = new Thread(SwapDelivery::buy, "buyer");
        buyer.start();
        driver.join();
        buyer.join();
        System.out.println("DONE " + visits);
    }
}
