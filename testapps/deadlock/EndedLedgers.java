// @finds nothing

/** The orders of {@code CrossedLedgers}: the second clerk is started after a join that found the first one at its end already. */
public final class EndedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static int booked;

    private static void sell() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
    }

    private static void refill() {
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(EndedLedgers::sell, "seller");
        seller.start();
        while (seller.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
        seller.join();
        Thread clerk = new Thread(EndedLedgers::refill, "clerk");
        clerk.start();
        clerk.join();
        System.out.println("DONE " + booked);
    }
}
