// @finds nothing

/** The ledgers of {@code CrossedLedgers}; the second clerk waits until the first notifies him that he is done. */
public final class NotifiedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static final Object bell = new Object();
    private static boolean sold;
    private static int booked;

    private static void sell() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        synchronized (bell) {
            sold = true;
            bell.notify();
        }
    }

    private static void refill() {
        synchronized (bell) {
            while (!sold) {
                try {
                    bell.wait();
                } catch (InterruptedException stop) {
                    return;
                }
            }
        }
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread filler = new Thread(NotifiedLedgers::refill, "filler");
        Thread seller = new Thread(NotifiedLedgers::sell, "seller");
        filler.start();
        while (filler.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        seller.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
