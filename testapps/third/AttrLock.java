// @lock AttrLock$ReadWriteLock
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock AttrLock$ReadWriteLock.readLock
// @role read-unlock AttrLock$ReadWriteLock.unlock
// @role write-lock AttrLock$ReadWriteLock.writeLock
// @role write-unlock AttrLock$ReadWriteLock.unlock

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Attributes of mail folders behind the lock that counted what it had given: minus one is a writer, and one unlock serves all. */
public final class AttrLock {
    static final class ReadWriteLock {
        private int givenLocks;
        private int waitingWriters;

        public synchronized void readLock() throws InterruptedException {
            while (givenLocks == -1 || waitingWriters != 0) {
                wait();
            }
            givenLocks++;
        }

        public synchronized void writeLock() throws InterruptedException {
            waitingWriters++;
            try {
                while (givenLocks != 0) {
                    wait();
                }
                givenLocks = -1;
            } finally {
                waitingWriters--;
            }
        }

        public synchronized void unlock() {
            if (givenLocks == 0) {
                return;
            }
            if (givenLocks == -1) {
                givenLocks = 0;
            } else {
                givenLocks--;
            }
            notifyAll();
        }
    }

    static final class Folder {
        final ReadWriteLock lock = new ReadWriteLock();
        String from = "0";
        String subject = "0";
    }

    private static final Folder[] folders = {new Folder(), new Folder()};
    private static final AtomicLong ops = new AtomicLong();
    private static volatile boolean done;
    private static volatile boolean mismatch;

    private static void read(Folder f) throws InterruptedException {
        f.lock.readLock();
        try {
            String s = f.subject;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            if (!f.from.equals(s)) {
                mismatch = true;
            }
        } finally {
            f.lock.unlock();
        }
    }

    private static void write(Folder f) throws InterruptedException {
        f.lock.writeLock();
        try {
            String s = Integer.toString(ThreadLocalRandom.current().nextInt());
            f.subject = s;
            Thread.sleep(1);
            f.from = s;
        } finally {
            f.lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] threads = new Thread[10];
        for (int i = 0; i < threads.length; i++) {
            int n = i;
            threads[i] = new Thread(() -> {
                try {
                    while (!done) {
                        Folder f = folders[n % 2];
                        if (n < 4) {
                            write(f);
                            Thread.sleep(ThreadLocalRandom.current().nextInt(5, 15));
                        } else {
                            read(f);
                            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                        }
                        ops.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    mismatch = true;
                }
            }, (n < 4 ? "store-" : "fetch-") + n);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        done = true;
        for (Thread t : threads) {
            t.join(5_000);
        }
        if (mismatch) {
            throw new IllegalStateException("saw half a change");
        }
        System.out.println("DONE " + ops);
    }
}
