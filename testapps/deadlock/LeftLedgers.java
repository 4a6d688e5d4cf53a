// @finds nothing

/**
 * The ledgers of {@code CrossedLedgers}; the second clerk is started when the first has gone home, and nobody waits for
 * him: who started him is presumed.
 */
public final class LeftLedgers {
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

    /** A join of a thread that is over waits for nothing and is not seen: the clerk goes when he is waited for. */
    private static void leave(Thread boss) {
        while (boss.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread boss = Thread.currentThread();
        Thread seller = new Thread(() -> {
            sell();
            leave(boss);
        }, "seller");
        Thread filler = new Thread(LeftLedgers::refill, "filler");
        seller.start();
        seller.join();
        filler.start();
        while (filler.isAlive()) {
            Thread.yield();
        }
        System.out.println("DONE " + booked);
    }
}
