import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/** A lock that is never given back: by a thread that has ended; "idle": by a task of a pool whose thread waits for the next one. */
public final class LeftLock {
    private static void take(ReentrantLock lock) {
        lock.lock();
    }

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        boolean idle = args.length > 0 && args[0].equals("idle");
        Stage stage = new Stage();
        if (idle) {
            ExecutorService pool = Executors.newSingleThreadExecutor();
            pool.submit(() -> take(lock)).get();
        } else {
            Thread taker = stage.start("taker", () -> take(lock));
            taker.join();
            stage = new Stage();
        }
        stage.start("caller", () -> take(lock));
        stage.standStill();
        Stage.ready();
        System.exit(0);
    }
}
