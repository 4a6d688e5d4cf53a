// @lock ApiLimiter
// @type SEMAPHORE form=rate-limiter
// @role acquire ApiLimiter.take
// @role release ApiLimiter.refund

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A client's own limit on calls of a paid service: tokens drip in with time, and a call that failed early gives its token back. */
public final class ApiLimiter {
    private final double perMilli;
    private final double burst;
    private double tokens;
    private long lastNanos = System.nanoTime();

    ApiLimiter(double perSecond, int burst) {
        perMilli = perSecond / 1000;
        this.burst = burst;
        tokens = burst;
    }

    public synchronized boolean take(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        drip();
        while (tokens < 1) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            long due = (long) Math.ceil((1 - tokens) / perMilli);
            wait(Math.max(1, Math.min(due, left)));
            drip();
        }
        tokens--;
        return true;
    }

    public synchronized void refund() {
        drip();
        tokens = Math.min(burst, tokens + 1);
        notify();
    }

    private void drip() {
        long now = System.nanoTime();
        tokens = Math.min(burst, tokens + (now - lastNanos) / 1e6 * perMilli);
        lastNanos = now;
    }

    private static final AtomicLong charged = new AtomicLong();
    private static final AtomicLong refused = new AtomicLong();
    private static volatile boolean interrupted;

    private static void calls(ApiLimiter limiter) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                if (!limiter.take(50)) {
                    refused.incrementAndGet();
                } else if (ThreadLocalRandom.current().nextInt(5) < 2) {
                    Thread.sleep(1);
                    limiter.refund();
                } else {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    charged.incrementAndGet();
                }
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ApiLimiter limiter = new ApiLimiter(400, 10);
        long begin = System.nanoTime();
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(() -> calls(limiter), "call-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        long got = charged.get();
        double allowed = 10 + (System.nanoTime() - begin) / 1e9 * 400 + 1;
        if (interrupted || got > allowed) {
            throw new IllegalStateException(got + " calls were charged where " + allowed + " are allowed");
        }
        System.out.println("DONE " + got);
    }
}
