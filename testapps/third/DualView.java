// @lock DualView$ReaderSide
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock DualView$ReaderSide.acquire
// @role read-unlock DualView$Counts.endReadWakesWriter
// @role write-lock DualView$WriterSide.acquire
// @role write-unlock DualView$Counts.endWrite

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A price list behind the read-write lock of a once popular utility library's kind: two inner locks, on whose own monitors
 * readers and writers wait, while the counts are kept by synchronized methods of the lock that holds both.
 */
public final class DualView {
    interface Sync {
        void acquire() throws InterruptedException;

        void release();
    }

    static final class Counts {
        private int activeReaders;
        private boolean activeWriter;
        private int waitingReaders;
        private int waitingWriters;

        private boolean allowReader() {
            return !activeWriter && waitingWriters == 0;
        }

        synchronized boolean startRead(boolean first) {
            boolean allowed = allowReader();
            if (allowed) {
                activeReaders++;
                waitingReaders -= first ? 0 : 1;
            } else if (first) {
                waitingReaders++;
            }
            return allowed;
        }

        synchronized boolean startWrite(boolean first) {
            boolean allowed = !activeWriter && activeReaders == 0;
            if (allowed) {
                activeWriter = true;
                waitingWriters -= first ? 0 : 1;
            } else if (first) {
                waitingWriters++;
            }
            return allowed;
        }

        synchronized boolean endReadWakesWriter() {
            return --activeReaders == 0 && waitingWriters > 0;
        }

        /** Whom the end of a write wakes: 1 a writer, -1 all readers, 0 nobody. */
        synchronized int endWrite() {
            activeWriter = false;
            return waitingWriters > 0 ? 1 : waitingReaders > 0 ? -1 : 0;
        }
    }

    static final class ReaderSide implements Sync {
        private final Counts counts;
        private WriterSide writers;

        ReaderSide(Counts counts) {
            this.counts = counts;
        }

        @Override
        public void acquire() throws InterruptedException {
            synchronized (this) {
                boolean allowed = counts.startRead(true);
                while (!allowed) {
                    wait();
                    allowed = counts.startRead(false);
                }
            }
        }

        @Override
        public void release() {
            if (counts.endReadWakesWriter()) {
                writers.wakeOne();
            }
        }

        synchronized void wakeAll() {
            notifyAll();
        }
    }

    static final class WriterSide implements Sync {
        private final Counts counts;
        private final ReaderSide readers;

        WriterSide(Counts counts, ReaderSide readers) {
            this.counts = counts;
            this.readers = readers;
        }

        @Override
        public void acquire() throws InterruptedException {
            synchronized (this) {
                boolean allowed = counts.startWrite(true);
                while (!allowed) {
                    wait();
                    allowed = counts.startWrite(false);
                }
            }
        }

        @Override
        public void release() {
            int wake = counts.endWrite();
            if (wake > 0) {
                wakeOne();
            } else if (wake < 0) {
                readers.wakeAll();
            }
        }

        synchronized void wakeOne() {
            notify();
        }
    }

    private final Sync readLock;
    private final Sync writeLock;
    private final double[] prices = new double[30];
    private final AtomicLong ops = new AtomicLong();
    private volatile boolean torn;
    private volatile boolean stop;

    DualView() {
        Counts counts = new Counts();
        ReaderSide readers = new ReaderSide(counts);
        WriterSide writers = new WriterSide(counts, readers);
        readers.writers = writers;
        readLock = readers;
        writeLock = writers;
    }

    private void quote() throws InterruptedException {
        readLock.acquire();
        try {
            double first = prices[0];
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            for (double p : prices) {
                torn |= p != first;
            }
        } finally {
            readLock.release();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
    }

    private void raise() throws InterruptedException {
        writeLock.acquire();
        try {
            for (int i = 0; i < prices.length; i++) {
                prices[i] += 0.25;
                if (i == 12) {
                    Thread.sleep(1);
                }
            }
        } finally {
            writeLock.release();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(6, 14));
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        DualView list = new DualView();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            boolean raises = i < 3;
            threads[i] = new Thread(() -> {
                try {
                    while (!list.stop) {
                        if (raises) {
                            list.raise();
                        } else {
                            list.quote();
                        }
                        list.ops.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    list.torn = true;
                }
            }, (raises ? "buyer-" : "seller-") + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        list.stop = true;
        for (Thread t : threads) {
            t.join(5_000);
            if (t.isAlive()) {
                throw new IllegalStateException(t.getName() + " is stuck");
            }
        }
        if (list.torn) {
            throw new IllegalStateException("saw half a price rise");
        }
        System.out.println("DONE " + list.ops);
    }
}
