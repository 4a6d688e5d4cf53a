// @finds nested-wait T3

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The buyer waits at a condition of the ramp and keeps the shop locked. The driver goes through the shop before he delivers: this
 * time he was through before the buyer came.
 */
public final class ConditionDelivery {
    private static final ReentrantLock shop = new ReentrantLock();
    private static final ReentrantLock ramp = new ReentrantLock();
    private static final Condition arrived = ramp.newCondition();
    private static boolean delivered;
    private static volatile boolean through;

    private static void drive() {
        shop.lock();
        shop.unlock();
        through = true;
        while (!delivered()) {
            pause();
        }
    }

    /** Each look takes the lock: without a rest there would be more to record than a busy machine can write. */
    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static boolean delivered() {
        ramp.lock();
        try {
            delivered = ramp.hasWaiters(arrived);
            if (delivered) {
                arrived.signalAll();
            }
            return delivered;
        } finally {
            ramp.unlock();
        }
    }

    private static void buy() {
        while (!through) {
            Thread.yield();
        }
        shop.lock();
        ramp.lock();
        while (!delivered) {
            arrived.awaitUninterruptibly();
        }
        ramp.unlock();
        shop.unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread driver = new Thread(ConditionDelivery::drive, "driver");
        Thread buyer = new Thread(ConditionDelivery::buy, "buyer");
        driver.start();
        buyer.start();
        driver.join();
        buyer.join();
        System.out.println("DONE");
    }
}
