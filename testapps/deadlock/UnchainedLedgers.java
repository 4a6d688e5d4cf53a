// @finds order T3

import java.util.concurrent.CompletableFuture;

/** As {@code ChainedLedgers}, but who takes the first order has completed his future before: nothing keeps the two apart. */
public final class UnchainedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static final CompletableFuture<String> begun = new CompletableFuture<>();
    private static final CompletableFuture<String> counted = new CompletableFuture<>();
    private static volatile boolean closed;
    private static int booked;

    private static void close() {
        begun.complete("begun");
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        closed = true;
    }

    private static void count() {
        // Only so that it does not happen here.
        while (!closed) {
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
        CompletableFuture<Void> opened = begun.thenCompose(day -> counted).thenAccept(day -> open());
        Thread closes = new Thread(UnchainedLedgers::close, "closes");
        Thread counts = new Thread(UnchainedLedgers::count, "counts");
        closes.start();
        counts.start();
        closes.join();
        counts.join();
        opened.join();
        System.out.println("DONE " + booked);
    }
}
