// @finds order T3
// @confirms proved-as-recorded

/**
 * The ledgers of {@code CrossedLedgers}, and nothing in this program orders the clerks. That the second one comes when the first
 * has gone is how this run was made: by a property of the system, and the next program will not have it.
 */
public final class UnseenLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static int booked;

    private static void sell() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        System.setProperty("sold", "yes");
    }

    private static void refill() {
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(UnseenLedgers::sell, "seller");
        Thread filler = new Thread(() -> {
            try {
                while (System.getProperty("sold") == null) {
                    Thread.sleep(1);
                }
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
            refill();
        }, "filler");
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
