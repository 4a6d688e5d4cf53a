// @finds nested-wait T3 stall

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The buyer waits for the driver at the ramp, for a minute at most, and keeps the shop locked, through which the driver goes first: this time before. */
public final class MeetForAWhile {
    private static final Object shop = new Object();
    private static final CyclicBarrier ramp = new CyclicBarrier(2);
    private static volatile boolean through;
    private static int goods;

    private static void buy() {
        synchronized (shop) {
            meet();
            goods++;
        }
    }

    private static void drive(Thread buyer) {
        synchronized (shop) {
            goods++;
        }
        through = true;
        while (buyer.getState() != Thread.State.TIMED_WAITING) {
            Thread.yield();
        }
        meet();
    }

    private static void meet() {
        try {
            ramp.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException stop) {
            throw new IllegalStateException(stop);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread buyer = new Thread(() -> {
            while (!through) {
                Thread.yield();
            }
            buy();
        }, "buyer");
        Thread driver = new Thread(() -> drive(buyer), "driver");
        buyer.start();
        driver.start();
        buyer.join();
        driver.join();
        System.out.println("DONE " + goods);
    }
}
