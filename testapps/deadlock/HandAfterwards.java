// @finds nothing

import java.util.concurrent.Exchanger;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.SynchronousQueue;

/**
 * As {@code HandDelivery}, {@code TransferDelivery}, {@code SwapDelivery} and {@code PhasedDelivery}, each with a shop of its own;
 * but the driver goes through the shop when they have met, so that he keeps nobody waiting.
 */
public final class HandAfterwards {
    private static final Object[] shops = {new Object(), new Object(), new Object(), new Object(), new Object()};
    private static final SynchronousQueue<String> hand = new SynchronousQueue<>();
    private static final LinkedTransferQueue<String> ramp = new LinkedTransferQueue<>();
    private static final Exchanger<String> swap = new Exchanger<>();
    private static final Phaser phase = new Phaser(2);
    private static int visits;

    private static void goThrough(int shop) {
        synchronized (shops[shop]) {
            visits++;
        }
    }

    private static void drive() {
        try {
            hand.put("crate");
            goThrough(0);
            hand.take();
            goThrough(1);
            ramp.take();
            goThrough(2);
            swap.exchange("crate");
            goThrough(3);
            phase.arriveAndAwaitAdvance();
            goThrough(4);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void buy() {
        try {
            synchronized (shops[0]) {
                hand.take();
            }
            synchronized (shops[1]) {
                hand.put("empty");
            }
            synchronized (shops[2]) {
                ramp.transfer("empty");
            }
            synchronized (shops[3]) {
                swap.exchange("empty");
            }
            synchronized (shops[4]) {
                phase.arriveAndAwaitAdvance();
            }
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(HandAfterwards::drive, "driver");
        Thread buyer = new Thread(HandAfterwards::buy, "buyer");
        driver.start();
        buyer.start();
        driver.join();
        buyer.join();
        System.out.println("DONE " + visits);
    }
}
