// @lock Quiescer$InFlight
// @type CONDITION
// @role wait Quiescer$InFlight.awaitIdle
// @role notify Quiescer$InFlight.leave

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** A service counts its requests in flight; whoever takes a backup waits for a moment in which there are none. */
public final class Quiescer {
    static final class InFlight {
        private int count;
        private long drained;

        synchronized void enter() {
            count++;
        }

        synchronized void leave() {
            if (count <= 0) {
                throw new IllegalStateException("left more often than entered");
            }
            if (--count == 0) {
                drained++;
                notifyAll();
            }
        }

        /** Returns once there was such a moment after the call, even if new requests have come since. */
        synchronized long awaitIdle() throws InterruptedException {
            long before = drained;
            while (count > 0 && drained == before) {
                wait();
            }
            return drained;
        }
    }

    private static final InFlight inFlight = new InFlight();
    private static final int SERVERS = 3;
    private static final AtomicLongArray current = new AtomicLongArray(SERVERS); // number of the request, or 0
    private static final AtomicLong ids = new AtomicLong();
    private static final AtomicLong backups = new AtomicLong();
    private static volatile Throwable fault;

    private static void request(int server) throws InterruptedException {
        inFlight.enter();
        try {
            current.set(server, ids.incrementAndGet());
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            current.set(server, 0);
        } finally {
            inFlight.leave();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
    }

    private static void backup() throws InterruptedException {
        long[] before = new long[SERVERS];
        Arrays.setAll(before, current::get);
        inFlight.awaitIdle();
        for (int i = 0; i < SERVERS; i++) {
            if (before[i] != 0 && current.get(i) == before[i]) {
                throw new IllegalStateException("request " + before[i] + " is still in flight");
            }
        }
        backups.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
    }

    interface Job {
        void run() throws InterruptedException;
    }

    private static void forever(Job job) {
        Thread t = new Thread(() -> {
            try {
                while (fault == null) {
                    job.run();
                }
            } catch (Throwable e) {
                fault = e;
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < SERVERS; i++) {
            int server = i;
            forever(() -> request(server));
        }
        for (int i = 0; i < 3; i++) {
            forever(Quiescer::backup);
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fault != null || backups.get() == 0) {
            throw new IllegalStateException("no backup, or a bad one", fault);
        }
        System.out.println("DONE " + backups);
    }
}
