// @finds latch T3

import java.util.concurrent.CountDownLatch;

/** The buyer waits at a latch and keeps the shop locked; the driver goes through the shop before he counts down: this time he was through. */
public final class LatchInside {
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
        synchronized (shop) {
            arrive();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(LatchInside::drive, "driver");
        Thread buyer = new Thread(LatchInside::buy, "buyer");
        driver.start();
        buyer.start();
        driver.join();
        buyer.join();
        System.out.println("DONE " + booked);
    }
}
