// @finds latch T3

import java.util.concurrent.CompletableFuture;

/** The clerk keeps the shop locked until a future is complete; who completes it goes through the shop before. */
public final class CompletionInside {
    private static final Object shop = new Object();
    private static final CompletableFuture<String> order = new CompletableFuture<>();
    private static int visits;
    private static volatile boolean through;
    private static volatile Thread clerk;

    private static void drive() {
        synchronized (shop) {
            visits++;
        }
        through = true;
        try {
            while (clerk == null || clerk.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
        order.complete("crate");
    }

    private static void sell() {
        synchronized (shop) {
            order.join();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(CompletionInside::drive, "driver");
        driver.start();
        while (!through) {
            Thread.sleep(1);
        }
        Thread second = new Thread(CompletionInside::sell, "clerk");
        second.start();
        clerk = second;
        driver.join();
        second.join();
        System.out.println("DONE " + visits);
    }
}
