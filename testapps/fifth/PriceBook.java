// @lock PriceBook
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock PriceBook.open
// @role read-unlock PriceBook.close
// @role write-lock PriceBook.edit
// @role write-unlock PriceBook.publish

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A shop's price book: tills read it, head office rewrites it; everybody draws a number and is let in by number. */
public class PriceBook {
    private final int[] prices = new int[40];
    private long drawn;
    private long called;
    private int tills;
    private boolean editing;

    public synchronized void open() throws InterruptedException {
        long number = drawn++;
        while (number != called || editing) {
            wait();
        }
        tills++;
        called++;
        notifyAll();
    }

    public synchronized void close() {
        tills--;
        if (tills == 0) {
            notifyAll();
        }
    }

    public synchronized void edit() throws InterruptedException {
        long number = drawn++;
        while (number != called || editing || tills > 0) {
            wait();
        }
        editing = true;
        called++;
    }

    public synchronized void publish() {
        editing = false;
        notifyAll();
    }

    private static final AtomicLong sales = new AtomicLong();
    private static volatile String failure;

    private void till() throws InterruptedException {
        open();
        int first = prices[0];
        Thread.sleep(1);
        for (int p : prices) {
            if (p != first) {
                failure = "two price lists in one sale";
            }
        }
        close();
        sales.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
    }

    private void office() throws InterruptedException {
        edit();
        int price = prices[0] + 1;
        Arrays.fill(prices, 0, 20, price);
        Thread.sleep(2);
        Arrays.fill(prices, 20, 40, price);
        publish();
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
    }

    private Thread daemon(String name, boolean office) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    if (office) {
                        office();
                    } else {
                        till();
                    }
                }
            } catch (InterruptedException e) {
                failure = "interrupted";
            }
        }, name);
        t.setDaemon(true);
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        PriceBook book = new PriceBook();
        for (int i = 0; i < 5; i++) {
            book.daemon("till-" + i, false).start();
        }
        for (int i = 0; i < 2; i++) {
            book.daemon("office-" + i, true).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + sales);
    }
}
