// @lock InflightLimiter$PendingTasks
// @type SEMAPHORE+CONDITION permits=5
// @role acquire InflightLimiter$PendingTasks.submitted
// @role release InflightLimiter$PendingTasks.completed
// @role wait InflightLimiter$PendingTasks.flush
// @role notify InflightLimiter$PendingTasks.completed
//
// @lock InflightLimiter$Wire
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put InflightLimiter$Wire.write
// @role take InflightLimiter$Wire.read

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A store's client with at most five requests on their way, and a flush that waits for the answers to all that were sent before it. */
public final class InflightLimiter {
    static final class PendingTasks {
        private static final int MAX = 5;
        private int inFlight;
        private long sent;
        private long answered;

        synchronized long submitted() throws InterruptedException {
            while (inFlight >= MAX) {
                wait();
            }
            inFlight++;
            return ++sent;
        }

        synchronized void completed() {
            if (--inFlight < 0) {
                failure = "more answers than requests";
            }
            answered++;
            notifyAll();
        }

        /** Until as many answers are in as requests were sent so far. */
        synchronized long flush() throws InterruptedException {
            long mark = sent;
            while (answered < mark) {
                wait(100);
            }
            return mark;
        }

        synchronized long answered() {
            return answered;
        }
    }

    static final class Wire {
        private final Queue<Long> frames = new ArrayDeque<>();

        void write(long frame) {
            synchronized (this) {
                frames.add(frame);
                notify();
            }
        }

        long read() throws InterruptedException {
            synchronized (this) {
                while (frames.isEmpty()) {
                    wait();
                }
                return frames.remove();
            }
        }
    }

    private static final AtomicLong flushes = new AtomicLong();
    private static volatile String failure;

    private static void writer(PendingTasks pending, Wire wire) {
        try {
            for (int n = 1; failure == null; n++) {
                wire.write(pending.submitted());
                if (n % 8 == 0) {
                    long mark = pending.flush();
                    if (pending.answered() < mark) {
                        failure = "flushed with answers outstanding";
                    }
                    flushes.incrementAndGet();
                    Thread.sleep(1);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void region(PendingTasks pending, Wire wire) {
        try {
            while (failure == null) {
                long frame = wire.read();
                Thread.sleep(frame % 7 == 0 ? 4 : ThreadLocalRandom.current().nextInt(1, 3));
                pending.completed();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        PendingTasks pending = new PendingTasks();
        Wire wire = new Wire();
        for (int i = 0; i < 6; i++) {
            spawn("region-" + i, () -> region(pending, wire));
        }
        for (int i = 0; i < 4; i++) {
            spawn("writer-" + i, () -> writer(pending, wire));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + flushes);
    }

    private static void spawn(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
    }
}
