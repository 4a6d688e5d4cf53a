// @lock MirrorSync$Slots
// @type SEMAPHORE permits=3
// @role acquire MirrorSync$Slots.enter
// @role release MirrorSync$Slots.leave

// @lock java.util.ArrayDeque
// @type PRODUCER-CONSUMER capacity=5
// @role put MirrorSync$Finished.add
// @role take MirrorSync$Finished.next

// @lock MirrorSync$Progress
// @type MUTEX
// @role enter MirrorSync$Progress.report

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A mirror kept up to date: three connections at most, at most five fetched files not yet written, one progress line. */
public final class MirrorSync {
    static final class Slots {
        private int free = 3;

        synchronized void enter() throws InterruptedException {
            while (free == 0) {
                wait();
            }
            free--;
        }

        synchronized void leave() {
            free++;
            notify();
        }
    }

    static final class Finished {
        private final Queue<String> files = new ArrayDeque<>();
        private final int most = 5;

        void add(String file) throws InterruptedException {
            synchronized (files) {
                while (files.size() == most) {
                    files.wait();
                }
                files.add(file);
                files.notifyAll();
            }
        }

        String next() throws InterruptedException {
            synchronized (files) {
                while (files.isEmpty()) {
                    files.wait();
                }
                String file = files.remove();
                files.notifyAll();
                return file;
            }
        }
    }

    static final class Progress {
        private final StringBuilder line = new StringBuilder();
        private long fetched;
        private long written;

        synchronized void report(boolean fetch) {
            if (fetch) {
                fetched++;
            } else {
                written++;
            }
            line.setLength(0);
            line.append(fetched).append(" fetched, ").append(written).append(" written");
            broken |= written > fetched;
            LockSupport.parkNanos(300_000);
        }

        synchronized long written() {
            return written;
        }
    }

    private final Slots slots = new Slots();
    private final Finished finished = new Finished();
    private final Progress progress = new Progress();
    private final AtomicInteger connections = new AtomicInteger();

    private void fetch() throws InterruptedException {
        slots.enter();
        try {
            broken |= connections.incrementAndGet() > 3;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            connections.decrementAndGet();
        } finally {
            slots.leave();
        }
        progress.report(true);
        finished.add("file-" + serial.incrementAndGet());
    }

    private void write() throws InterruptedException {
        broken |= !finished.next().startsWith("file-");
        progress.report(false);
        if (ThreadLocalRandom.current().nextInt(20) == 0) {
            Thread.sleep(12);
        }
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private static volatile boolean broken;
    private static final AtomicLong serial = new AtomicLong();

    private static void forever(Step step) {
        try {
            while (true) {
                step.run();
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        MirrorSync sync = new MirrorSync();
        for (int i = 0; i < 8; i++) {
            Step step = i < 6 ? sync::fetch : sync::write;
            Thread t = new Thread(() -> forever(step), (i < 6 ? "fetcher-" : "writer-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken) {
            throw new IllegalStateException("a fourth connection, or a file written before it was there");
        }
        System.out.println("DONE " + sync.progress.written());
    }
}
