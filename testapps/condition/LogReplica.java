// @lock LogReplica
// @type CONDITION
// @role wait LogReplica.awaitApplied
// @role notify LogReplica.advance

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A database replica: readers wait until the log has been applied up to the position that they have written themselves. */
public final class LogReplica {
    private long applied;

    private final AtomicLong written = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();
    private volatile boolean failed;

    synchronized boolean awaitApplied(long position, long millis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (applied < position) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    synchronized void advance(long to) {
        if (to > applied) {
            applied = to;
            notifyAll();
        }
    }

    private void client() throws InterruptedException {
        long position = written.incrementAndGet();
        if (!awaitApplied(position, 20_000)) {
            failed = true;
        }
        reads.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
    }

    private void applier() throws InterruptedException {
        advance(written.get());
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (!failed) {
                    step.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        LogReplica replica = new LogReplica();
        for (int i = 0; i < 5; i++) {
            replica.loop("client-" + i, replica::client);
        }
        replica.loop("applier", replica::applier);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (replica.failed) {
            throw new IllegalStateException("a position was not applied within 20 s");
        }
        System.out.println("DONE " + replica.reads);
    }
}
