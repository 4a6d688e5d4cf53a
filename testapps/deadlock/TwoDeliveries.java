// @finds latch T3

import java.util.concurrent.CountDownLatch;

/**
 * The buyer waits for two deliveries and keeps the shop locked; the second driver goes through the shop before he counts down: this time he was
 * through, and both had counted before anybody waited. That it takes both only the code says.
 */
public final class TwoDeliveries {
    private static final Object shop = new Object();
    private static final CountDownLatch delivered = new CountDownLatch(2);
    private static volatile boolean brought;
    private static volatile boolean through;
    private static int booked;

    private static void bring() {
        delivered.countDown();
        brought = true;
    }

    private static void drive() {
        synchronized (shop) {
            booked++;
        }
        delivered.countDown();
        through = true;
    }

    private static void arrive() {
        try {
            delivered.await();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void buy() {
        while (!brought || !through) {
            Thread.yield();
        }
        synchronized (shop) {
            arrive();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] all = {
            new Thread(TwoDeliveries::bring, "porter"),
            new Thread(TwoDeliveries::drive, "driver"),
            new Thread(TwoDeliveries::buy, "buyer"),
        };
        for (Thread one : all) {
            one.start();
        }
        for (Thread one : all) {
            one.join();
        }
        System.out.println("DONE " + booked);
    }
}
