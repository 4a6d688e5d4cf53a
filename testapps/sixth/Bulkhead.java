// @lock Bulkhead
// @type SEMAPHORE permits=3
// @role acquire Bulkhead.enter
// @role release Bulkhead.exit

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A fault-tolerance library's bulkhead: it decorates a supplier so that only three calls run at a time. */
public final class Bulkhead {
    @FunctionalInterface
    interface Clock {
        long nanos();
    }

    static final class RejectedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final int limit;
    private final long maxWaitNanos;
    private final Clock clock;
    private int calls;
    private int queued;
    private int peak;

    Bulkhead(int limit, long maxWaitMillis, Clock clock) {
        this.limit = limit;
        this.maxWaitNanos = TimeUnit.MILLISECONDS.toNanos(maxWaitMillis);
        this.clock = clock;
    }

    <T> Supplier<T> decorate(Supplier<? extends T> supplier) {
        return () -> {
            if (!enter()) {
                throw new RejectedException();
            }
            try {
                return supplier.get();
            } finally {
                exit();
            }
        };
    }

    private synchronized boolean enter() {
        long start = clock.nanos();
        queued++;
        try {
            while (calls == limit) {
                long left = maxWaitNanos - (clock.nanos() - start);
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            calls++;
            peak = Math.max(peak, calls);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            queued--;
        }
    }

    private synchronized void exit() {
        calls--;
        if (queued > 0) {
            notifyAll();
        }
    }

    synchronized int peak() {
        return peak;
    }

    private static final AtomicInteger inside = new AtomicInteger();
    private static final AtomicLong served = new AtomicLong();
    private static final AtomicLong rejected = new AtomicLong();
    private static volatile boolean overrun;

    private static long backend() {
        if (inside.incrementAndGet() > 3) {
            overrun = true;
        }
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        inside.decrementAndGet();
        return served.incrementAndGet();
    }

    private static void client(Supplier<Long> guarded) {
        while (!overrun) {
            try {
                guarded.get();
                Thread.sleep(1);
            } catch (RejectedException e) {
                rejected.incrementAndGet();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Bulkhead bulkhead = new Bulkhead(3, 30, System::nanoTime);
        Supplier<Long> guarded = bulkhead.decorate(Bulkhead::backend);
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(() -> client(guarded), "client-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (overrun || bulkhead.peak() > 3) {
            throw new IllegalStateException("the bulkhead leaks");
        }
        System.out.println("DONE " + served);
    }
}
