// @lock RetryClient$Backoff
// @type DELAY
// @role delay RetryClient$Backoff.pause

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Clients of a flaky service that back off exponentially; the pause keeps to its deadline even if woken early. */
public final class RetryClient {
    static final class Backoff {
        synchronized long pause(long millis) throws InterruptedException {
            long start = System.nanoTime();
            long deadline = start + TimeUnit.MILLISECONDS.toNanos(millis);
            long left = deadline - start;
            while (left > 0) {
                wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
                left = deadline - System.nanoTime();
            }
            return System.nanoTime() - start;
        }
    }

    private final Backoff backoff = new Backoff();
    private final AtomicLong answers = new AtomicLong();
    private volatile String fault;

    private static boolean call() {
        return ThreadLocalRandom.current().nextInt(3) == 0;
    }

    void client() {
        try {
            while (fault == null) {
                long pause = 2;
                while (!call()) {
                    if (backoff.pause(pause) < TimeUnit.MILLISECONDS.toNanos(pause)) {
                        fault = "the pause was too short";
                    }
                    pause = Math.min(16, pause * 2);
                }
                answers.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        RetryClient service = new RetryClient();
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(service::client, "client-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (service.fault != null) {
            throw new IllegalStateException(service.fault);
        }
        System.out.println("DONE " + service.answers);
    }
}
