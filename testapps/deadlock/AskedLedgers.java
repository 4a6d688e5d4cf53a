// @finds nothing

/** The ledgers of {@code CrossedLedgers}; the second clerk asks for the state of the first until he has ended. No probe tells of that, so the order of the two is not called free. */
public final class AskedLedgers {
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

    private static void serve(Thread seller, String[] words) {
        // It was begun before the seller, and is told of him only by his state.
        while (seller.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
        refill();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(AskedLedgers::sell, "seller");
        Thread filler = new Thread(() -> serve(seller, args), "filler");
        filler.start();
        seller.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
