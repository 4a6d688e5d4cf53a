// @finds nested-wait T3

import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Main keeps the shop locked until it is told that a task is over, which went through the shop before. */
public final class ToldInside {
    private static final Object shop = new Object();
    private static volatile boolean through;
    private static volatile Thread buyer;

    private static Integer price() throws InterruptedException {
        int seen;
        synchronized (shop) {
            seen = 7;
        }
        through = true;
        while (buyer == null || buyer.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        return seen;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService clerks = Executors.newFixedThreadPool(1);
        CompletionService<Integer> prices = new ExecutorCompletionService<>(clerks);
        prices.submit(ToldInside::price);
        while (!through) {
            Thread.sleep(1);
        }
        synchronized (shop) {
            buyer = Thread.currentThread();
            System.out.println("DONE " + prices.take().get());
        }
        clerks.shutdown();
    }
}
