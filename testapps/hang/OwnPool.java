import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;

/** Tasks that wait at a latch for one that lies in the queue of their own pool; "fork": of a ForkJoinPool. Nobody else is there. */
public final class OwnPool {
    public static void main(String[] args) throws Exception {
        boolean fork = args.length > 0 && args[0].equals("fork");
        ExecutorService pool = fork ? new ForkJoinPool(2) : Executors.newFixedThreadPool(2);
        CountDownLatch all = new CountDownLatch(3);
        System.out.println("READY");
        for (int i = 0; i < 3; i++) {
            pool.execute(() -> {
                all.countDown();
                try {
                    all.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        all.await();
    }
}
