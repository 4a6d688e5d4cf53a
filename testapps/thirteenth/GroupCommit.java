// The journal of an embedded database: sessions append and wait until what they appended is on disk; a flusher writes
// every few milliseconds, pausing on a monitor of its own.
//
// @lock GroupCommit$Journal
// @type CONDITION
// @role wait GroupCommit$Journal.awaitDurable
// @role notify GroupCommit$Journal.markDurable
//
// @lock java.lang.Object#rest
// @type DELAY
// @role delay GroupCommit$Flusher.rest

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class GroupCommit {
    static volatile String broken;
    static final AtomicLong commits = new AtomicLong();

    static final class Journal {
        private long appended; // the position after the last record
        private long durable;  // everything before this position is on disk

        synchronized long append(int bytes) {
            appended += bytes;
            return appended;
        }

        synchronized void awaitDurable(long position) throws InterruptedException {
            if (position > appended)
                throw new IllegalArgumentException("beyond the end");
            while (durable < position)
                wait();
        }

        synchronized long end() {
            return appended;
        }

        synchronized void markDurable(long position) {
            if (position <= durable)
                return;
            durable = position;
            notifyAll();
        }

        synchronized boolean isDurable(long position) {
            return position <= durable;
        }
    }

    static final class Flusher implements Runnable {
        private final Journal journal;
        private final Object idle = new Object();
        private int flushes;

        Flusher(Journal journal) {
            this.journal = journal;
        }

        private void rest(int millis) throws InterruptedException {
            synchronized (idle) {
                long left, until = System.currentTimeMillis() + millis;
                while ((left = until - System.currentTimeMillis()) > 0)
                    idle.wait(left);
            }
        }

        @Override
        public void run() {
            try {
                while (true) {
                    rest(4 + (flushes++ & 3));
                    long to = journal.end();
                    Thread.sleep(2); // fsync
                    journal.markDurable(to);
                }
            } catch (InterruptedException e) {
                broken = "flusher interrupted";
            }
        }
    }

    static final class Session implements Runnable {
        private final Journal journal;

        Session(Journal journal) {
            this.journal = journal;
        }

        @Override
        public void run() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            try {
                while (true) {
                    long at = 0;
                    for (int i = random.nextInt(1, 4); i > 0; i--)
                        at = journal.append(random.nextInt(20, 200));
                    journal.awaitDurable(at);
                    if (!journal.isDurable(at))
                        broken = "committed, not durable";
                    commits.incrementAndGet();
                    Thread.sleep(random.nextInt(6));
                }
            } catch (InterruptedException e) {
                broken = "session interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Journal journal = new Journal();
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(i == 0 ? new Flusher(journal) : new Session(journal), i == 0 ? "flusher" : "session-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L, last = -1;
        int idle = 0;
        while (broken == null && System.nanoTime() < end) {
            Thread.sleep(300);
            idle = commits.get() == last ? idle + 1 : 0;
            if (idle > 25)
                broken = "no commit for a while";
            last = commits.get();
        }
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + commits.get());
    }
}
