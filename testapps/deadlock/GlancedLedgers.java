// @finds order T3
// @confirms ordered-in-this-run GlancedLedgers.sold

/**
 * The ledgers of {@code UnseenLedgers}. The second clerk glances at a flag that the first one has raised by then, and goes on
 * whatever it says: that he came later was chance.
 */
public final class GlancedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static volatile boolean sold;
    private static int booked;
    private static int seen;

    private static void sell() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        sold = true;
    }

    private static void refill() {
        if (sold) {
            seen++;
        }
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    /** So that it is chance in each run of the test. */
    private static void comeLater(Thread seller) {
        try {
            while (seller.getState() != Thread.State.TERMINATED) {
                Thread.sleep(1);
            }
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(GlancedLedgers::sell, "seller");
        Thread filler = new Thread(() -> {
            comeLater(seller);
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
