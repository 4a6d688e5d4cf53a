import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** What a client does while it holds something, and in between. */
final class Pause {
    private Pause() {}

    static void work() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(100_000, 2_000_000));
    }

    static void rest() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(500_000, 4_000_000));
    }
}
