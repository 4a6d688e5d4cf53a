// @finds nothing

/** The ledgers of {@code CrossedLedgers}, both orders within the office, which only one clerk is in at a time. */
public final class GatedLedgers {
    private static final Object office = new Object();
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static int booked;

    private static void sell() {
        synchronized (office) {
            synchronized (sales) {
                synchronized (stock) {
                    booked++;
                }
            }
        }
    }

    private static void refill() {
        synchronized (office) {
            synchronized (stock) {
                synchronized (sales) {
                    booked++;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(GatedLedgers::sell, "seller");
        Thread filler = new Thread(GatedLedgers::refill, "filler");
        seller.start();
        filler.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
