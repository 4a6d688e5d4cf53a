import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** A pool with nothing to do, a latch that nobody counts down yet, a semaphore without permits: all wait, none is known to be stuck. */
public final class IdlePool {
    static final Object BELL = new Object();

    private static void doze() {
        synchronized (BELL) {
            try {
                BELL.wait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        for (int i = 0; i < 3; i++) {
            pool.execute(() -> { });
        }
        Stage stage = new Stage();
        stage.start("guest", new Semaphore(0)::acquireUninterruptibly);
        stage.start("dozer", IdlePool::doze);
        CountDownLatch latch = new CountDownLatch(1);
        stage.start("runner", () -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        stage.standStill();
        Stage.ready();
        pool.shutdown();
    }
}
