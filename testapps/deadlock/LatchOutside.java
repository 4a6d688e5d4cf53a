// @finds nothing

import java.util.concurrent.CountDownLatch;

/** The buyer waits at the latch, and locks the shop afterwards. */
public final class LatchOutside {
    private static final Object shop = new Object();
    private static final CountDownLatch delivered = new CountDownLatch(1);
    private static volatile boolean begun;
    private static volatile boolean through;
    private static int booked;

    private static void drive() {
        while (!begun) {
            Thread.yield();
        }
        synchronized (shop) {
            booked++;
        }
        through = true;
        delivered.countDown();
    }

    private static void arrive() {
        try {
            delivered.await();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void buy() {
        begun = true;
        while (!through) {
            Thread.yield();
        }
        arrive();
        synchronized (shop) {
            booked++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(LatchOutside::drive, "driver");
        Thread buyer = new Thread(LatchOutside::buy, "buyer");
        driver.start();
        buyer.start();
        driver.join();
        buyer.join();
        System.out.println("DONE " + booked);
    }
}
