// @lock EtlPipe$Staging
// @type PRODUCER-CONSUMER capacity=32
// @role put EtlPipe$Staging.append
// @role take EtlPipe$Staging.swap

// @lock EtlPipe$Watermark
// @type CONDITION
// @role wait EtlPipe$Watermark.awaitPast
// @role notify EtlPipe$Watermark.advance

// @lock EtlPipe$LoadGroup
// @type LATCH count=4
// @role count-down EtlPipe$LoadGroup.partDone
// @role await EtlPipe$LoadGroup.awaitAll
// @role await EtlPipe$LoadGroup.awaitAllFor

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Extract, transform, load. Extractors append rows to one of two buffers while the transformer works on the other one; a
 * watermark says how far the transformer is; each load is split into four parts, done by a crew of loaders.
 */
public final class EtlPipe {

    /** Two lists that change places. */
    static final class Staging {
        private List<Long> front = new ArrayList<>();
        private List<Long> back = new ArrayList<>();
        private final Object monitor = this;

        void append(long row) throws InterruptedException {
            synchronized (monitor) {
                while (front.size() >= 32) {
                    monitor.wait();
                }
                front.add(row);
                monitor.notifyAll();
            }
        }

        List<Long> swap() throws InterruptedException {
            synchronized (monitor) {
                while (front.isEmpty()) {
                    monitor.wait();
                }
                List<Long> full = front;
                front = back;
                front.clear();
                back = full;
                monitor.notifyAll();
                return full;
            }
        }
    }

    static final class Watermark {
        private long mark;

        synchronized void awaitPast(long m) throws InterruptedException {
            while (mark < m) {
                wait();
            }
        }

        synchronized void advance(long m) {
            if (m > mark) {
                mark = m;
                notifyAll();
            }
        }

        synchronized long get() {
            return mark;
        }
    }

    static final class LoadGroup {
        private int open;
        final long number;

        LoadGroup(int parts, long number) {
            this.open = parts;
            this.number = number;
        }

        synchronized void partDone() {
            if (open > 0 && --open == 0) {
                notifyAll();
            }
        }

        synchronized void awaitAll() throws InterruptedException {
            while (open != 0) {
                wait();
            }
        }

        synchronized boolean awaitAllFor(long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1_000_000L;
            while (open != 0) {
                long left = (end - System.nanoTime()) / 1_000_000L;
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        }
    }

    private static volatile String error;

    interface Body {
        void run() throws Exception;
    }

    static void forever(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    body.run();
                }
            } catch (Exception e) {
                error = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        Staging staging = new Staging();
        Watermark watermark = new Watermark();
        AtomicLong sequence = new AtomicLong();
        AtomicLong transformed = new AtomicLong();
        AtomicLong loads = new AtomicLong();
        List<ConcurrentLinkedQueue<LoadGroup>> inboxes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            inboxes.add(new ConcurrentLinkedQueue<>());
        }
        for (int i = 0; i < 3; i++) {
            forever("extract-" + i, () -> {
                int n = ThreadLocalRandom.current().nextInt(5, 25);
                for (int k = 0; k < n; k++) {
                    staging.append(sequence.incrementAndGet());
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 12));
            });
        }
        forever("transform", () -> {
            List<Long> rows = staging.swap();
            if (rows.size() > 32) {
                throw new IllegalStateException("too many rows: " + rows.size());
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
            watermark.advance(transformed.addAndGet(rows.size()));
        });
        for (int i = 0; i < 3; i++) {
            int lag = 10 * (i + 1);
            forever("follower-" + i, () -> {
                long target = watermark.get() + lag;
                watermark.awaitPast(target);
                if (watermark.get() < target) {
                    throw new IllegalStateException("below the mark");
                }
                Thread.sleep(2);
            });
        }
        forever("load", () -> {
            LoadGroup group = new LoadGroup(4, loads.incrementAndGet());
            inboxes.forEach(q -> q.add(group));
            Thread observer = new Thread(() -> {
                try {
                    group.awaitAllFor(60_000);
                } catch (InterruptedException e) {
                    error = e.toString();
                }
            }, "observer");
            observer.start();
            group.awaitAll();
            Thread.sleep(3);
        });
        for (ConcurrentLinkedQueue<LoadGroup> inbox : inboxes) {
            forever("loader-" + inboxes.indexOf(inbox), () -> {
                LoadGroup g = inbox.poll();
                if (g == null) {
                    Thread.sleep(2);
                } else {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 12));
                    g.partDone();
                }
            });
        }
        System.out.println("READY");
        Thread.sleep(1000L * (args.length == 0 ? 600 : Integer.parseInt(args[0])));
        if (error != null) {
            System.out.println(error);
            System.exit(1);
        }
        System.out.println("DONE " + (transformed.get() + loads.get()));
    }
}
