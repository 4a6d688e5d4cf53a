// @finds nothing

import java.util.concurrent.CompletableFuture;

/** The ledgers in both orders: the second clerk copies when both the first one and a courier are done, who is the last. */
public final class CombinedLedgers {
    private static final Object left = new Object();
    private static final Object right = new Object();

    private static void copy(Object from, Object to) {
        synchronized (from) {
            synchronized (to) {
                System.out.print("");
            }
        }
    }

    private static void copyFirst(CompletableFuture<Void> clerk) {
        copy(left, right);
        clerk.complete(null);
    }

    private static void bring(CompletableFuture<Void> courier) {
        try {
            Thread.sleep(200);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
        courier.complete(null);
    }

    public static void main(String[] args) throws InterruptedException {
        CompletableFuture<Void> clerk = new CompletableFuture<>();
        CompletableFuture<Void> courier = new CompletableFuture<>();
        CompletableFuture<Integer> both =
                clerk.thenCombine(
                        courier,
                        (copied, brought) -> {
                            copy(right, left);
                            return 2;
                        });
        Thread first = new Thread(() -> copyFirst(clerk), "clerk");
        Thread second = new Thread(() -> bring(courier), "courier");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("DONE " + both.join());
    }
}
