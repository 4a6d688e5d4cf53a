// @finds order T3
// @confirms ordered-in-this-run AtomicInteger

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two ledgers, taken in one order by one clerk and in the other by the other. Nothing but a turn, which no lock knows of, has
 * kept the clerks apart in this run.
 */
public final class CrossedLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static final AtomicInteger turn = new AtomicInteger();
    private static int booked;

    private static void sell() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
    }

    private static void refill() {
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread seller = new Thread(() -> {
            while (turn.get() == 0) {
                Thread.yield();
            }
            sell();
            turn.set(2);
        }, "seller");
        Thread filler = new Thread(() -> {
            turn.compareAndSet(0, 1);
            while (turn.get() < 2) {
                pause();
            }
            refill();
        }, "filler");
        filler.start();
        // It has seen that it is not its turn.
        while (filler.getState() != Thread.State.TIMED_WAITING) {
            pause();
        }
        seller.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
