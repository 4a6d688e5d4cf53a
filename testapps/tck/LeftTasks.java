import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tasks that JDK 17 and 21 leave for ever in the queue of a worker that waits, without any agent:
 *
 *   for i in 1 2 3; do java testapps/tck/LeftTasks.java 60 & done; wait          # seconds; one that hangs says so
 *
 * A worker that looks for tasks and finds none is not signalled for one that is pushed before it has said that it is idle; it does not look
 * again, and the other worker, which pushed it, waits for the result. It takes busy processors, so three at a time.
 */
public final class LeftTasks {
    /** A sum whose parts are tasks that complete it: who waits for it finds nothing that he could run himself. */
    private static final class Sum extends ForkJoinTask<Void> {
        private final AtomicInteger missing = new AtomicInteger(2);
        private final int n;
        private Sum whole;

        Sum(int n) {
            this.n = n;
        }

        @Override
        public Void getRawResult() {
            return null;
        }

        @Override
        protected void setRawResult(Void result) {}

        private static Sum partOf(Sum whole, int n) {
            Sum part = new Sum(n);
            part.whole = whole;
            return part;
        }

        @Override
        protected boolean exec() {
            Sum sum = this;
            while (sum.n > 1) {
                partOf(sum, sum.n - 2).fork();
                sum = partOf(sum, sum.n - 1);
            }
            do {
                sum.complete(null);
                sum = sum.whole;
            } while (sum != null && sum.missing.decrementAndGet() == 0);
            return false;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * Integer.parseInt(args[0]);
        AtomicLong rounds = new AtomicLong();
        Thread watcher = new Thread(() -> {
            for (long before = -1; before != rounds.get(); ) {
                before = rounds.get();
                try {
                    Thread.sleep(10_000);
                } catch (InterruptedException e) {
                    return;
                }
            }
            System.out.println("hangs after " + rounds + " rounds");
            System.exit(9);
        });
        watcher.setDaemon(true);
        watcher.start();
        while (System.nanoTime() < end) {
            ForkJoinPool pool = new ForkJoinPool(2);
            pool.invoke(new RecursiveAction() {
                @Override
                protected void compute() {
                    invokeAll(new Sum(8), new Sum(9), new Sum(7));
                }
            });
            pool.shutdown();
            rounds.incrementAndGet();
        }
        System.out.println(rounds + " rounds");
    }
}
