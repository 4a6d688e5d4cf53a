// @finds order T3
// @confirms stands collection

import java.util.ArrayList;
import java.util.List;

/** The ledgers of {@code CrossedLedgers}; the second clerk waits until the first has put a receipt on a list. */
public final class ListedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static final List<String> receipts = new ArrayList<>();
    private static int booked;

    private static void sell() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        synchronized (receipts) {
            receipts.add("sold");
        }
    }

    private static boolean isSold() {
        synchronized (receipts) {
            return !receipts.isEmpty();
        }
    }

    private static void refill() {
        while (!isSold()) {
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
        Thread seller = new Thread(ListedLedgers::sell, "seller");
        Thread filler = new Thread(ListedLedgers::refill, "filler");
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
