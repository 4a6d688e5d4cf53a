// @finds nested-wait T3

import java.util.concurrent.Semaphore;

/** One clerk tells the other by a permit that he is through with the shop, which the other one keeps locked when he comes for the second. */
public final class GivenPermit {
    private static final Object shop = new Object();
    private static final Semaphore done = new Semaphore(0);
    private static int visits;
    private static volatile boolean given;
    private static volatile boolean again;
    private static volatile Thread opener;

    private static void tidy() {
        while (opener == null || opener.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        done.release();
        while (!again) {
            Thread.yield();
        }
        synchronized (shop) {
            visits++;
        }
        done.release();
        given = true;
    }

    private static void open() {
        done.acquireUninterruptibly();
        again = true;
        while (!given) {
            Thread.yield();
        }
        synchronized (shop) {
            done.acquireUninterruptibly();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread tidier = new Thread(GivenPermit::tidy, "tidier");
        Thread second = new Thread(GivenPermit::open, "opener");
        tidier.start();
        second.start();
        opener = second;
        tidier.join();
        second.join();
        System.out.println("DONE " + visits);
    }
}
