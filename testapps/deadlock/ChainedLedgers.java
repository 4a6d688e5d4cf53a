// @finds nothing

import java.util.concurrent.CompletableFuture;

/** The orders of {@code CrossedLedgers}, but the second one is a stage of a future: it is run by the clerk who completes it, once the other one is through with the first order. */
public final class ChainedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static final CompletableFuture<String> closed = new CompletableFuture<>();
    private static final CompletableFuture<String> counted = new CompletableFuture<>();
    private static int booked;

    private static void close() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        closed.complete("closed");
    }

    private static void count() {
        // The stage of what is closed waits for it by now.
        while (counted.getNumberOfDependents() == 0) {
            Thread.yield();
        }
        counted.complete("counted");
    }

    private static void open() {
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        CompletableFuture<Void> opened = closed.thenCompose(day -> counted).thenAccept(day -> open());
        Thread closes = new Thread(ChainedLedgers::close, "closes");
        Thread counts = new Thread(ChainedLedgers::count, "counts");
        closes.start();
        counts.start();
        closes.join();
        counts.join();
        opened.join();
        System.out.println("DONE " + booked);
    }
}
