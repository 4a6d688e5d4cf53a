// @finds order T3

/** The ledgers of {@code UnseenLedgers}; with {@code -Dalone=true} one clerk does the work of both. */
public final class LonelyLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
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

    private static void await(Thread thread, Thread.State state) {
        try {
            while (thread.getState() != state) {
                Thread.sleep(1);
            }
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        boolean alone = Boolean.getBoolean("alone");
        Thread seller = new Thread(() -> {
            sell();
            if (alone) {
                refill();
            }
        }, "seller");
        Thread filler = new Thread(() -> {
            await(seller, Thread.State.TERMINATED);
            if (!alone) {
                refill();
            }
        }, "filler");
        filler.start();
        await(filler, Thread.State.TIMED_WAITING);
        seller.start();
        seller.join();
        filler.join();
        System.out.println("DONE " + booked);
    }
}
