// @finds nothing

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The orders of {@code CrossedLedgers} as tasks of pools: each begins when the one before it is done, by a future, by the end of a pool. */
public final class TaskLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static final Object cash = new Object();
    private static int booked;

    private static void book(Object outer, Object inner) {
        synchronized (outer) {
            synchronized (inner) {
                booked++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService clerks = Executors.newFixedThreadPool(2);
        clerks.submit(() -> book(sales, stock)).get();
        clerks.submit(() -> book(stock, sales)).get();
        CompletableFuture.runAsync(() -> book(stock, cash), clerks).join();
        clerks.shutdown();
        if (!clerks.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the clerks are still here");
        }
        book(cash, stock);
        System.out.println("DONE " + booked);
    }
}
