// @finds order T3
// @confirms ordered-in-this-run AtomicInteger

import java.util.concurrent.atomic.AtomicInteger;

/** The ledgers of {@code CrossedLedgers}; a clerk claims the books by a compare-and-set, the second one when the first has sold. */
public final class ClaimedLedgers {
    private static final int OPEN = 1, SELLING = 2, SOLD = 3, REFILLING = 4;
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static final AtomicInteger books = new AtomicInteger();
    private static int booked;

    private static void claim(int when, int as) {
        while (!books.compareAndSet(when, as)) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }
    }

    private static void sell() {
        claim(OPEN, SELLING);
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        books.set(SOLD);
    }

    private static void refill() {
        claim(SOLD, REFILLING);
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        books.set(OPEN);
        Thread seller = new Thread(ClaimedLedgers::sell, "seller");
        Thread filler = new Thread(ClaimedLedgers::refill, "filler");
        filler.start();
        while (filler.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        seller.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
