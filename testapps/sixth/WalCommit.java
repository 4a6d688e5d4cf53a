// @lock WalCommit$Wal
// @type CONDITION
// @role wait WalCommit$Wal.commit
// @role wait WalCommit$Wal.flushOnce
// @role notify WalCommit$Wal.commit
// @role notify WalCommit$Wal.flushOnce

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A write-ahead log with group commit: transactions wait until it is flushed up to their record, one flush serves many. */
public final class WalCommit {
    static final class Wal {
        private final AtomicLong durable; // what has reached the disk, for the check
        private long written;
        private long flushed;
        private boolean flusherIdle;

        Wal(AtomicLong durable) {
            this.durable = durable;
        }

        long commit() throws InterruptedException {
            synchronized (this) {
                long lsn = ++written;
                if (flusherIdle) {
                    notifyAll();
                }
                while (flushed < lsn) {
                    wait();
                }
                return lsn;
            }
        }

        void flushOnce() throws InterruptedException {
            long upTo;
            synchronized (this) {
                flusherIdle = true;
                while (written == flushed) {
                    wait();
                }
                flusherIdle = false;
                upTo = written;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4)); // fsync
            durable.set(upTo);
            synchronized (this) {
                flushed = upTo;
                notifyAll();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        AtomicLong durable = new AtomicLong();
        AtomicLong commits = new AtomicLong();
        AtomicLong lost = new AtomicLong();
        Wal wal = new Wal(durable);
        for (int i = 0; i < 6; i++) {
            daemon("transaction-" + i, () -> {
                long lsn = wal.commit();
                if (durable.get() < lsn) {
                    lost.incrementAndGet();
                }
                commits.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            });
        }
        daemon("flusher", wal::flushOnce);
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (lost.get() > 0) {
            throw new IllegalStateException(lost + " commits were not on the disk");
        }
        System.out.println("DONE " + commits);
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private static void daemon(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    step.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
}
