// @finds latch T3

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/** Main asks for a result and keeps the shop locked, which the task has gone through; it is complete by then, so nobody is parked. */
public final class ForkedInside {
    private static final Object shop = new Object();
    private static volatile boolean through;

    private static final class Price extends RecursiveTask<Integer> {
        @Override
        protected Integer compute() {
            synchronized (shop) {
                through = true;
            }
            return 7;
        }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool clerks = new ForkJoinPool(1);
        Price price = new Price();
        clerks.execute(price);
        while (!through) {
            Thread.sleep(1);
        }
        Thread.sleep(100);
        synchronized (shop) {
            System.out.println("DONE " + price.get());
        }
        clerks.shutdown();
    }
}
