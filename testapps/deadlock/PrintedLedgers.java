// @finds order T3
// @confirms proved-as-recorded

import java.util.List;
import java.util.concurrent.Future;

/**
 * The ledgers of {@code UnseenLedgers}. The class has more, which goes through lists and futures and may well tell one clerk of the other;
 * but none of it is ever called.
 */
public final class PrintedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static int booked;
    private static List<String> receipts;
    private static Future<Integer> audit;

    static void keep(List<String> list, Future<Integer> later) {
        receipts = list;
        audit = later;
    }

    private static void print() throws Exception {
        synchronized (sales) {
            receipts.forEach(receipt -> System.out.println(receipt + " " + receipts.size()));
            if (audit.isDone()) {
                System.out.println(audit.get());
            }
        }
    }

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

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            print();
        }
        Thread seller = new Thread(PrintedLedgers::sell, "seller");
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
