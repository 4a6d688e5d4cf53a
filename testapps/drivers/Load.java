import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps a real program under load: some threads repeat a task, and standard output says how they fare.
 *
 * <p>{@code READY} appears once every thread has finished a task; from then on one line a second holds
 * the tasks finished in that second. The harness itself takes no monitor while the load runs, so that
 * whatever a lock tool reports belongs to the program under load.
 */
final class Load {
    /** One thread's share of the load. */
    interface Task {
        void run() throws Exception;
    }

    /** Opens what a thread needs for itself, such as its connection. */
    interface Client {
        Task open(int thread) throws Exception;
    }

    private static final int DEFAULT_SECONDS = 60;

    private final LongAdder finished = new LongAdder();
    private final CountDownLatch warm;

    private Load(int threads) {
        warm = new CountDownLatch(threads);
    }

    /** Runs {@code threads} clients for {@code args[0]} seconds (60 if absent) and ends the JVM. */
    static void run(String[] args, int threads, Client client) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : DEFAULT_SECONDS;
        Load load = new Load(threads);
        for (int i = 0; i < threads; i++) {
            load.start(client.open(i), i);
        }
        load.warm.await();
        System.out.println("READY");
        load.report(seconds);
        System.exit(0);
    }

    private void start(Task task, int number) {
        Thread thread = new Thread(() -> repeat(task), "client-" + number);
        thread.setDaemon(true);
        thread.start();
    }

    private void repeat(Task task) {
        try {
            task.run();
            warm.countDown();
            while (true) {
                finished.increment();
                task.run();
            }
        } catch (Throwable failure) {
            failure.printStackTrace();
            System.exit(1);
        }
    }

    private void report(int seconds) throws InterruptedException {
        long began = System.nanoTime();
        long before = finished.sum();
        for (int second = 1; second <= seconds; second++) {
            sleepUntil(began + second * 1_000_000_000L);
            long now = finished.sum();
            System.out.println((now - before) + " tasks/s");
            before = now;
        }
    }

    private static void sleepUntil(long nanoTime) throws InterruptedException {
        for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
            Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
        }
    }
}
