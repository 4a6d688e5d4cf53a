// @finds nothing

/**
 * The buyer waits for a delivery and keeps the shop locked, as in {@code NestedDelivery}; the driver does not need the shop.
 */
public final class RampDelivery {
    private static final Object shop = new Object();
    private static final Object ramp = new Object();
    private static boolean delivered;
    private static volatile boolean through;
    private static volatile Thread buyer;

    private static void drive() {
        through = true;
        while (buyer == null || buyer.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        synchronized (ramp) {
            delivered = true;
            ramp.notifyAll();
        }
    }

    private static void buy() {
        synchronized (shop) {
            synchronized (ramp) {
                while (!delivered) {
                    try {
                        ramp.wait();
                    } catch (InterruptedException stop) {
                        return;
                    }
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(RampDelivery::drive, "driver");
        driver.start();
        while (!through) {
            Thread.yield();
        }
        Thread second = new Thread(RampDelivery::buy, "buyer");
        second.start();
        buyer = second;
        driver.join();
        second.join();
        System.out.println("DONE");
    }
}
