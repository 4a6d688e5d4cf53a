// @lock GroupCommitLog$Journal
// @type CONDITION
// @role wait GroupCommitLog$Journal.sync
// @role notify GroupCommitLog$Journal.sync
//
// @lock GroupCommitLog$Checkpointer
// @type DELAY
// @role delay GroupCommitLog$Checkpointer.run
//
// @lock GroupCommitLog$Volume
// @type MUTEX
// @role enter GroupCommitLog$Volume.write

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A metadata journal: edits get numbers, and whoever syncs first writes for all who wait; a checkpointer shares the disk with it. */
public final class GroupCommitLog {
    /** The disk: one head. */
    static final class Volume {
        private long writes;

        void write(int blocks) throws InterruptedException {
            synchronized (this) {
                writes++;
                Thread.sleep(blocks);
            }
        }
    }

    static final class Journal {
        private final Volume volume;
        private long lastEdit;
        private long synced;
        private boolean syncRunning;
        private long groups;

        Journal(Volume volume) {
            this.volume = volume;
        }

        synchronized long logEdit() {
            return ++lastEdit;
        }

        /** Returns when the given edit is on disk, whoever brought it there. */
        void sync(long edit) throws InterruptedException {
            long upTo;
            synchronized (this) {
                while (edit > synced && syncRunning) {
                    wait(1000);
                }
                if (edit <= synced) {
                    return;
                }
                upTo = lastEdit;
                syncRunning = true;
            }
            boolean written = false;
            try {
                volume.write(2);
                written = true;
            } finally {
                synchronized (this) {
                    if (written) {
                        synced = upTo;
                        groups++;
                    }
                    syncRunning = false;
                    notifyAll();
                }
            }
        }

        synchronized long synced() {
            return synced;
        }
    }

    static final class Checkpointer extends Thread {
        private final Journal journal;
        private final Volume volume;
        private long image;

        Checkpointer(Journal journal, Volume volume, int n) {
            super("checkpointer-" + n);
            this.journal = journal;
            this.volume = volume;
            setDaemon(true);
        }

        @Override
        public void run() {
            while (failure == null) {
                try {
                    synchronized (this) {
                        wait(7);
                    }
                    long now = journal.synced();
                    if (now < image) {
                        failure = "the journal went back";
                    }
                    image = now;
                    volume.write(1);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    private static final AtomicLong committed = new AtomicLong();
    private static volatile String failure;

    private static void handler(Journal journal) {
        try {
            while (failure == null) {
                long edit = journal.logEdit();
                if (ThreadLocalRandom.current().nextBoolean()) {
                    edit = journal.logEdit();
                }
                journal.sync(edit);
                if (journal.synced() < edit) {
                    failure = "edit " + edit + " was not synced";
                }
                committed.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Volume volume = new Volume();
        Journal journal = new Journal(volume);
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(() -> handler(journal), "ipc-handler-" + i);
            t.setDaemon(true);
            t.start();
        }
        new Checkpointer(journal, volume, 0).start();
        new Checkpointer(journal, volume, 1).start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        synchronized (journal) {
            if (failure == null && journal.groups > journal.synced) {
                failure = "more groups than edits";
            }
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + committed);
    }
}
