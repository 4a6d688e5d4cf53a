// @finds nested-wait T3

import java.util.concurrent.Semaphore;

/** One clerk tells the other by a permit that he is through with the shop, which the other one keeps locked when he comes for it. */
public final class GivenPermit {
    private static final Object shop = new Object();
    private static final Semaphore done = new Semaphore(0);
    private static int visits;
    private static volatile boolean given;

    private static void tidy() {
        synchronized (shop) {
            visits++;
        }
        done.release();
        given = true;
    }

    private static void open() {
        while (!given) {
            Thread.yield();
        }
        synchronized (shop) {
            done.acquireUninterruptibly();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread tidier = new Thread(GivenPermit::tidy, "tidier");
        Thread opener = new Thread(GivenPermit::open, "opener");
        tidier.start();
        opener.start();
        tidier.join();
        opener.join();
        System.out.println("DONE " + visits);
    }
}
