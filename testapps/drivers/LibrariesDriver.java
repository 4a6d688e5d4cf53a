import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Libraries of the time when pools and queues were written on monitors: commons-pool, log4j, Quartz, HttpClient, c3p0,
 * each with threads of its own. What their locks are stands in {@code LibrariesDriver.locks}; needs the jars of
 * {@code fetch libraries}.
 */
public final class LibrariesDriver {
    private LibrariesDriver() {}

    public static void main(String[] args) throws Exception {
        List<Load.Task> threads = new ArrayList<>();
        PoolUse.addTo(threads);
        LogUse.addTo(threads);
        QuartzUse.addTo(threads);
        ConnectionUse.addTo(threads);
        Load.run(args, threads.size(), threads::get);
    }

    static void work() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(100_000, 2_000_000));
    }

    static void rest() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(500_000, 4_000_000));
    }
}
