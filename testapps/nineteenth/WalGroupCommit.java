// A write-ahead log with group commit: sessions append their record under the buffer's latch, then wait
// until the flusher has made the log durable up to their own position. One flush commits many sessions.
//
// @lock WalGroupCommit$Durability
// @type CONDITION
// @role wait WalGroupCommit$Durability.awaitDurable
// @role notify WalGroupCommit$Durability.advance
//
// @lock java.lang.Object#append
// @type MUTEX
// @role enter WalGroupCommit$LogBuffer.append
// @role enter WalGroupCommit$LogBuffer.drain

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class WalGroupCommit {
    static final AtomicLong commits = new AtomicLong();
    static volatile String broken;

    static class Durability {
        private long flushedLsn;
        private int crowd;

        void awaitDurable(long lsn) throws InterruptedException {
            synchronized (this) {
                crowd++;
                try {
                    while (flushedLsn < lsn) {
                        wait(1000);
                    }
                } finally {
                    crowd--;
                }
                if (flushedLsn < lsn) {
                    broken = "commit acknowledged before its flush";
                }
            }
        }

        synchronized void advance(long lsn) {
            if (lsn < flushedLsn) {
                broken = "durable position went back";
            }
            flushedLsn = lsn;
            if (crowd > 0) {
                notifyAll();
            }
        }
    }

    static class LogBuffer {
        private final Object latch = new Object();
        private final long[] page = new long[4096];
        private int used;
        private long nextLsn = 1;

        long append(long payload) throws InterruptedException {
            synchronized (latch) {
                int at = used;
                long lsn = nextLsn;
                page[at] = payload;
                Thread.sleep(1); // copying a large record
                used = at + 1;
                nextLsn = lsn + 1;
                return lsn;
            }
        }

        long drain() throws InterruptedException {
            synchronized (latch) {
                int n = 0;
                while (n < used && page[n] != 0) {
                    page[n++] = 0;
                }
                if (n != used) {
                    broken = "hole in the log page";
                }
                Thread.sleep(1);
                used = 0;
                return nextLsn - 1;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final LogBuffer buffer = new LogBuffer();
        final Durability durability = new Durability();
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread("session-" + i) {
                @Override
                public void run() {
                    try {
                        while (true) {
                            long lsn = buffer.append(1 + ThreadLocalRandom.current().nextInt(1000));
                            if (ThreadLocalRandom.current().nextInt(3) == 0) {
                                lsn = buffer.append(7);
                            }
                            durability.awaitDurable(lsn);
                            commits.incrementAndGet();
                            Thread.sleep(ThreadLocalRandom.current().nextInt(4));
                        }
                    } catch (InterruptedException e) {
                        interrupt();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        Thread flusher = new Thread("flusher") {
            @Override
            public void run() {
                try {
                    while (true) {
                        long upTo = buffer.drain();
                        Thread.sleep(4); // fsync
                        durability.advance(upTo);
                    }
                } catch (InterruptedException e) {
                    interrupt();
                }
            }
        };
        flusher.setDaemon(true);
        flusher.start();
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(25);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + commits.get());
        System.exit(0);
    }
}
