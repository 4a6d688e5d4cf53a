// @lock Throttle$Bucket
// @type SEMAPHORE form=rate-limiter
// @role acquire Throttle$Bucket.admit
// @role release Throttle$Bucket.tick

// @lock Throttle$Bulkhead
// @type SEMAPHORE permits=4
// @role acquire Throttle$Bulkhead.enter
// @role release Throttle$Bulkhead.leave

// @lock Throttle$Breaker
// @type CONDITION form=resettable-event
// @role wait Throttle$Breaker.awaitClosed
// @role notify Throttle$Breaker.close

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What stands before a backend: a token bucket filled by a timer, a bulkhead of four with a time limit, a circuit breaker. */
public class Throttle {
    static final class Bucket {
        private final double burst;
        private double tokens;

        Bucket(double burst) {
            this.burst = burst;
            tokens = burst;
        }

        void admit() throws InterruptedException {
            synchronized (this) {
                while (tokens < 1.0) {
                    wait();
                }
                tokens -= 1.0;
            }
        }

        void tick(double add) {
            synchronized (this) {
                tokens = Math.min(burst, tokens + add);
                if (tokens >= 1.0) {
                    notifyAll();
                }
            }
        }
    }

    static final class Bulkhead {
        private final int limit;
        private int active;

        Bulkhead(int limit) {
            this.limit = limit;
        }

        synchronized boolean enter(long maxWait) throws InterruptedException {
            long end = System.currentTimeMillis() + maxWait;
            while (active >= limit) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            active++;
            return true;
        }

        synchronized void leave() {
            active--;
            notify();
        }
    }

    static final class Breaker {
        private boolean open;

        synchronized void awaitClosed() throws InterruptedException {
            while (open) {
                wait();
            }
        }

        synchronized void trip() {
            open = true;
        }

        synchronized void close() {
            open = false;
            notifyAll();
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Bucket bucket = new Bucket(4);
        Bulkhead bulkhead = new Bulkhead(4);
        Breaker breaker = new Breaker();
        AtomicInteger inside = new AtomicInteger();
        for (int i = 0; i < 8; i++) {
            loop("request-" + i, () -> {
                breaker.awaitClosed();
                bucket.admit();
                if (bulkhead.enter(2000)) {
                    try {
                        check(inside.incrementAndGet() <= 4, "bulkhead");
                        pause(4, 12);
                    } finally {
                        inside.decrementAndGet();
                        bulkhead.leave();
                    }
                }
            });
        }
        loop("timer", () -> {
            Thread.sleep(2);
            bucket.tick(0.9);
        });
        loop("health", () -> {
            pause(40, 80);
            breaker.trip();
            pause(5, 15);
            breaker.close();
        });
        finish(args);
    }
}
