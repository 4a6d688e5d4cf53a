// @finds order T3

/** The ledgers of {@code CrossedLedgers}; the second clerk asks for the state of the first until he has ended, but not if he was told not to: another run may come without it. */
public final class SkippedLedgers {
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
        if (words.length > 0) {
            refill();
            return;
        }
        while (seller.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
        refill();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(SkippedLedgers::sell, "seller");
        Thread filler = new Thread(() -> serve(seller, args), "filler");
        filler.start();
        seller.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
