// @finds latch T3

import java.util.concurrent.CompletableFuture;

/** The buyer waits for both of two parcels and keeps the shop locked, through which those go who bring them: this time they were there. */
public final class BothParcels {
    private static final Object shop = new Object();
    private static int visits;
    private static volatile boolean firstBrought;
    private static volatile boolean secondBrought;

    private static void bring() {
        synchronized (shop) {
            visits++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        CompletableFuture<Void> first = new CompletableFuture<>();
        CompletableFuture<Void> second = new CompletableFuture<>();
        CompletableFuture<Void> both = CompletableFuture.allOf(first, second);
        Thread one = new Thread(() -> {
            bring();
            first.complete(null);
            firstBrought = true;
        }, "one");
        Thread two = new Thread(() -> {
            second.complete(null);
            secondBrought = true;
        }, "two");
        one.start();
        two.start();
        while (!firstBrought || !secondBrought) {
            Thread.yield();
        }
        synchronized (shop) {
            both.join();
        }
        one.join();
        two.join();
        System.out.println("DONE " + visits);
    }
}
