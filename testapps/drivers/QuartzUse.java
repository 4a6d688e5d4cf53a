import java.util.List;
import org.quartz.SchedulerConfigException;
import org.quartz.simpl.SimpleThreadPool;

/** Quartz 1.x: its thread pool, given more jobs than it has workers. */
final class QuartzUse {
    private static final int WORKERS = 3;

    private QuartzUse() {}

    static void addTo(List<Load.Task> threads) throws SchedulerConfigException {
        SimpleThreadPool pool = new SimpleThreadPool(WORKERS, Thread.NORM_PRIORITY);
        pool.setMakeThreadsDaemons(true);
        pool.initialize();
        for (int i = 0; i < 2; i++) {
            threads.add(() -> {
                pool.blockForAvailableThreads();
                pool.runInThread(LibrariesDriver::work);
                LibrariesDriver.rest();
            });
        }
    }
}
