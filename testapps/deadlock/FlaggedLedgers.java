// @finds order T3
// @confirms ordered-in-this-run FlaggedLedgers.sold

/** The ledgers of {@code CrossedLedgers}; the second clerk waits until the first has raised a flag, which no lock knows of. */
public final class FlaggedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static volatile boolean sold;
    private static int booked;

    private static void sell() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        sold = true;
    }

    private static void refill() throws InterruptedException {
        while (!sold) {
            Thread.sleep(1);
        }
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread filler = new Thread(() -> {
            try {
                refill();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }, "filler");
        Thread seller = new Thread(FlaggedLedgers::sell, "seller");
        sold = false;
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
