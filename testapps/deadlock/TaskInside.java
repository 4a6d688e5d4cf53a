// @finds latch T3

import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/** Main waits for a result and keeps the shop locked, which the task goes through on its way: this time it was through before. */
public final class TaskInside {
    private static final Object shop = new Object();
    private static final AtomicBoolean through = new AtomicBoolean();
    private static volatile Thread buyer;

    private static int price() {
        int seen;
        synchronized (shop) {
            seen = 7;
        }
        through.set(true);
        while (buyer == null || buyer.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        return seen;
    }

    public static void main(String[] args) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(TaskInside::price);
        Thread clerk = new Thread(task, "clerk");
        clerk.start();
        while (!through.get()) {
            Thread.yield();
        }
        synchronized (shop) {
            buyer = Thread.currentThread();
            System.out.println("DONE " + task.get());
        }
        clerk.join();
    }
}
