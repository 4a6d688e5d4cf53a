/**
 * A master that wakes its workers all at once and waits for the last: each takes the lock on its way back from {@code wait}, one
 * after the other, then works by itself, then comes back. The more work there is, the less the lock matters.
 *
 * <p>Arguments: seconds, workers, milliseconds of work. Prints READY when all workers have come once.
 */
public final class ForkJoin {
    private final int workers;
    private final long work;
    private int round;
    private int back;

    private ForkJoin(int workers, long work) {
        this.workers = workers;
        this.work = work;
    }

    private void worker() throws InterruptedException {
        int seen = 0;
        while (true) {
            seen = fetch(seen);
            Thread.sleep(work);
        }
    }

    /** The end of one round and the beginning of the next. */
    private synchronized int fetch(int seen) throws InterruptedException {
        back++;
        if (back == workers) {
            notifyAll();
        }
        while (round == seen) {
            wait();
        }
        // What there is to do is read under the lock.
        Thread.sleep(1);
        return round;
    }

    private synchronized void fork() throws InterruptedException {
        while (back < workers) {
            wait();
        }
        back = 0;
        round++;
        notifyAll();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        int workers = args.length > 1 ? Integer.parseInt(args[1]) : 8;
        long work = args.length > 2 ? Long.parseLong(args[2]) : 20;
        ForkJoin pool = new ForkJoin(workers, work);
        for (int i = 0; i < workers; i++) {
            Thread thread = new Thread(() -> {
                try {
                    pool.worker();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "worker-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        pool.fork();
        System.out.println("READY");
        System.out.flush();
        for (long end = System.nanoTime() + seconds * 1_000_000_000L; System.nanoTime() < end;) {
            pool.fork();
        }
        System.out.println("DONE");
    }
}
