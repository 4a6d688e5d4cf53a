// @finds order T3
// @confirms ordered-in-this-run Till.closed

/** The ledgers of {@code CrossedLedgers}; the second clerk looks at a till, which has no lock, until the first has closed it. */
public final class TillLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static final Till till = new Till();
    private static int booked;

    /** Where the clerks see how far they are. */
    static final class Till {
        private volatile boolean closed;

        boolean isClosed() {
            return closed;
        }

        void close() {
            closed = true;
        }
    }

    private static void sell() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        till.close();
    }

    private static void refill() {
        while (!till.isClosed()) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(TillLedgers::sell, "seller");
        Thread filler = new Thread(TillLedgers::refill, "filler");
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
