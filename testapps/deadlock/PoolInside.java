// @finds latch T3

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Main waits for the end of a pool and keeps the shop locked, which a task of it goes through: this time it was through before. */
public final class PoolInside {
    private static final Object shop = new Object();
    private static volatile boolean through;
    private static int sold;

    private static void sell() {
        synchronized (shop) {
            sold++;
        }
        through = true;
    }

    public static void main(String[] args) throws InterruptedException {
        ExecutorService clerks = Executors.newFixedThreadPool(2);
        clerks.submit(PoolInside::sell);
        while (!through) {
            Thread.sleep(1);
        }
        synchronized (shop) {
            clerks.shutdown();
            if (!clerks.awaitTermination(1, TimeUnit.DAYS)) {
                throw new IllegalStateException("the clerks are still here");
            }
        }
        System.out.println("DONE " + sold);
    }
}
