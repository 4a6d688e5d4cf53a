// @finds latch T3

import java.util.concurrent.CountDownLatch;

/** The driver goes through the shop before he says that he is on his way, and then that he has come: for this the buyer waits. */
public final class LatchedTwice {
    private static final Object shop = new Object();
    private static final CountDownLatch way = new CountDownLatch(1);
    private static final CountDownLatch come = new CountDownLatch(1);
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
        way.countDown();
        come.countDown();
    }

    private static void buy() {
        synchronized (shop) {
            try {
                come.await();
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(LatchedTwice::drive, "driver");
        driver.start();
        while (!through) {
            Thread.sleep(1);
        }
        Thread buyer = new Thread(LatchedTwice::buy, "buyer");
        buyer.start();
        driver.join();
        buyer.join();
        System.out.println("DONE " + visits);
    }
}
