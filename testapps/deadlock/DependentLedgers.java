// @finds order T3

import java.util.concurrent.CompletableFuture;

/** As CombinedLedgers, but the second clerk copies when the courier is done, whether the first one is or not. */
public final class DependentLedgers {
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
                clerk.thenCombine(courier, (copied, brought) -> 2);
        CompletableFuture<Void> again = courier.thenRun(() -> copy(right, left));
        Thread first = new Thread(() -> copyFirst(clerk), "clerk");
        Thread second = new Thread(() -> bring(courier), "courier");
        first.start();
        second.start();
        first.join();
        second.join();
        again.join();
        System.out.println("DONE " + both.join());
    }
}
