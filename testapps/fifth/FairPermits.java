// @lock FairPermits
// @type SEMAPHORE permits=3
// @role acquire FairPermits.acquire
// @role release FairPermits.release

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Middleware that lets three requests through at a time, in the order in which they came: a permit given back goes straight to the first in line.
 *
 * <p>Count and queue are behind one monitor; whoever must wait does so on a parker of its own.
 */
public final class FairPermits {
    static final class Parker {
        private boolean unparked;

        synchronized void park() throws InterruptedException {
            while (!unparked) {
                wait();
            }
            unparked = false;
        }

        synchronized void unpark() {
            unparked = true;
            notify();
        }
    }

    private final ThreadLocal<Parker> parkers = ThreadLocal.withInitial(Parker::new);
    private final Deque<Parker> line = new ArrayDeque<>();
    private int free;

    FairPermits(int permits) {
        free = permits;
    }

    void acquire() throws InterruptedException {
        Parker mine = parkers.get();
        synchronized (this) {
            if (free > 0) {
                free--;
                return;
            }
            line.addLast(mine);
        }
        mine.park();
    }

    void release() {
        Parker first;
        synchronized (this) {
            first = line.pollFirst();
            if (first == null) {
                free++;
                return;
            }
        }
        first.unpark();
    }

    private static final AtomicInteger inside = new AtomicInteger();
    private static final AtomicLong requests = new AtomicLong();
    private static volatile boolean failed;

    private static void handle(FairPermits permits) throws InterruptedException {
        permits.acquire();
        try {
            if (inside.incrementAndGet() > 3) {
                failed = true;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            inside.decrementAndGet();
        } finally {
            permits.release();
        }
        requests.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        FairPermits permits = new FairPermits(3);
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (!failed) {
                        handle(permits);
                    }
                } catch (InterruptedException e) {
                    failed = true;
                }
            }, "request-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed || inside.get() < 0) {
            throw new IllegalStateException("more than three requests were let through");
        }
        System.out.println("DONE " + requests);
    }
}
