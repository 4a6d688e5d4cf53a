// @finds nothing

import java.util.concurrent.CountDownLatch;

/** The ledgers of {@code CrossedLedgers}; the second clerk looks at a latch until the first has counted it down, and never waits there. */
public final class CountedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static final CountDownLatch sold = new CountDownLatch(1);
    private static int booked;

    private static void sell() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        sold.countDown();
    }

    private static void refill() {
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    private static void serve(Thread seller, String[] words) {
        while (sold.getCount() > 0) {
            Thread.yield();
        }
        refill();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(CountedLedgers::sell, "seller");
        Thread filler = new Thread(() -> serve(seller, args), "filler");
        filler.start();
        seller.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
