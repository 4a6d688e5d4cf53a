// @finds nothing

import java.util.concurrent.CountDownLatch;

/** As {@code SeenSeated}, but the guest rings a latch of the JDK's when he has come. */
public final class RungAhead {
    private static final Object BENCH = new Object();
    private static final CountDownLatch RUNG = new CountDownLatch(1);

    private static void sit() {
        try {
            synchronized (BENCH) {
                RUNG.countDown();
                BENCH.wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void call() {
        try {
            RUNG.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        synchronized (BENCH) {
            BENCH.notifyAll();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread porter = new Thread(RungAhead::call, "porter");
        Thread guest = new Thread(RungAhead::sit, "guest");
        porter.start();
        guest.start();
        porter.join();
        guest.join();
        System.out.println("DONE");
    }
}
