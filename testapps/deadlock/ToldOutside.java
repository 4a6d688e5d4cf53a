// @finds nothing

import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** As ToldInside, but it is the next task that goes through the shop. */
public final class ToldOutside {
    private static final Object shop = new Object();
    private static volatile Thread buyer;
    private static int seen;

    private static Integer price() throws InterruptedException {
        while (buyer == null || buyer.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        return 7;
    }

    private static void sell() {
        synchronized (shop) {
            seen++;
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService clerks = Executors.newFixedThreadPool(1);
        CompletionService<Integer> prices = new ExecutorCompletionService<>(clerks);
        prices.submit(ToldOutside::price);
        clerks.submit(ToldOutside::sell);
        int price;
        synchronized (shop) {
            buyer = Thread.currentThread();
            price = prices.take().get();
        }
        clerks.shutdown();
        System.out.println("DONE " + price);
    }
}
