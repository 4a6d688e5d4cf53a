// @finds order T3
// @confirms ordered AtomicBoolean

import java.util.concurrent.atomic.AtomicBoolean;

/** The ledgers of {@code CrossedLedgers}; both clerks claim the books by a compare-and-set and give them back when they are done. */
public final class ClaimedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static final AtomicBoolean claimed = new AtomicBoolean();
    private static int booked;

    private static void claim() {
        while (!claimed.compareAndSet(false, true)) {
            Thread.yield();
        }
    }

    private static void sell() {
        claim();
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        claimed.set(false);
    }

    private static void refill() {
        claim();
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
        claimed.set(false);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(ClaimedLedgers::sell, "seller");
        Thread filler = new Thread(ClaimedLedgers::refill, "filler");
        seller.start();
        filler.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
