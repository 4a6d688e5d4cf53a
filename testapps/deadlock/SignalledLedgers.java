// @finds nothing

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Two locks in both orders; the second clerk waits at a condition until the first has sold. */
public final class SignalledLedgers {
    private static final ReentrantLock sales = new ReentrantLock();
    private static final ReentrantLock stock = new ReentrantLock();
    private static final ReentrantLock bell = new ReentrantLock();
    private static final Condition rung = bell.newCondition();
    private static Thread waits;
    private static boolean sold;
    private static int booked;

    private static void both(ReentrantLock first, ReentrantLock second) {
        first.lock();
        second.lock();
        booked++;
        second.unlock();
        first.unlock();
    }

    private static void sell() {
        both(sales, stock);
        while (true) {
            bell.lock();
            try {
                // He goes on when he is signalled, not because it has been before.
                if (waits != null && bell.hasWaiters(rung)) {
                    sold = true;
                    rung.signal();
                    return;
                }
            } finally {
                bell.unlock();
            }
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

    private static void refill() {
        try {
            bell.lock();
            waits = Thread.currentThread();
            while (!sold) {
                rung.await();
            }
            bell.unlock();
        } catch (Exception stop) {
            throw new IllegalStateException(stop);
        }
        both(stock, sales);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(SignalledLedgers::sell, "seller");
        Thread filler = new Thread(SignalledLedgers::refill, "filler");
        seller.start();
        filler.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
