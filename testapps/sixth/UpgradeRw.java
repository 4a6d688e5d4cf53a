// @lock UpgradeRw$ReadWriteLock
// @type READ-WRITE preference=writers reentrant=true
// @role read-lock UpgradeRw$ReadWriteLock.lockRead
// @role read-unlock UpgradeRw$ReadWriteLock.unlockRead
// @role write-lock UpgradeRw$ReadWriteLock.lockWrite
// @role write-unlock UpgradeRw$ReadWriteLock.unlockWrite

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The fully re-entrant read-write lock of an on-line tutorial, around a ledger whose operations call each other. */
public class UpgradeRw {
    static class ReadWriteLock {
        private final Map<Thread, Integer> readingThreads = new HashMap<>();
        private int writeAccesses = 0;
        private int writeRequests = 0;
        private Thread writingThread = null;

        public synchronized void lockRead() throws InterruptedException {
            Thread callingThread = Thread.currentThread();
            while (!canGrantReadAccess(callingThread)) {
                wait();
            }
            readingThreads.put(callingThread, getReadAccessCount(callingThread) + 1);
        }

        private boolean canGrantReadAccess(Thread callingThread) {
            if (writingThread == callingThread) {
                return true;
            }
            if (writingThread != null) {
                return false;
            }
            if (readingThreads.get(callingThread) != null) {
                return true;
            }
            return writeRequests == 0;
        }

        public synchronized void unlockRead() {
            Thread callingThread = Thread.currentThread();
            if (readingThreads.get(callingThread) == null) {
                throw new IllegalMonitorStateException("no read lock held");
            }
            int accessCount = getReadAccessCount(callingThread);
            if (accessCount == 1) {
                readingThreads.remove(callingThread);
            } else {
                readingThreads.put(callingThread, accessCount - 1);
            }
            notifyAll();
        }

        public synchronized void lockWrite() throws InterruptedException {
            writeRequests++;
            Thread callingThread = Thread.currentThread();
            while (!canGrantWriteAccess(callingThread)) {
                wait();
            }
            writeRequests--;
            writeAccesses++;
            writingThread = callingThread;
        }

        public synchronized void unlockWrite() {
            if (writingThread != Thread.currentThread()) {
                throw new IllegalMonitorStateException("no write lock held");
            }
            writeAccesses--;
            if (writeAccesses == 0) {
                writingThread = null;
            }
            notifyAll();
        }

        private boolean canGrantWriteAccess(Thread callingThread) {
            if (readingThreads.size() == 1 && readingThreads.get(callingThread) != null) {
                return true;
            }
            if (!readingThreads.isEmpty()) {
                return false;
            }
            return writingThread == null || writingThread == callingThread;
        }

        private int getReadAccessCount(Thread callingThread) {
            Integer accessCount = readingThreads.get(callingThread);
            return accessCount == null ? 0 : accessCount;
        }
    }

    static class Ledger {
        private final ReadWriteLock lock = new ReadWriteLock();
        private final long[] columns = {0, 0, 0};
        private long total;

        long column(int i) throws InterruptedException {
            lock.lockRead();
            try {
                return columns[i];
            } finally {
                lock.unlockRead();
            }
        }

        boolean balanced() throws InterruptedException {
            lock.lockRead();
            try {
                long sum = 0;
                for (int i = 0; i < columns.length; i++) {
                    sum += column(i);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                return sum == total;
            } finally {
                lock.unlockRead();
            }
        }

        void book(int i, long amount) throws InterruptedException {
            lock.lockWrite();
            try {
                columns[i] += amount;
                Thread.sleep(1);
                total += amount;
            } finally {
                lock.unlockWrite();
            }
        }

        boolean move(int from, int to, long amount) throws InterruptedException {
            lock.lockWrite();
            try {
                book(from, -amount);
                book(to, amount);
                return balanced();
            } finally {
                lock.unlockWrite();
            }
        }
    }

    static final AtomicLong operations = new AtomicLong();
    static volatile String fault;

    static void work(Ledger ledger, int id) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try {
            while (fault == null) {
                boolean good = true;
                if (id < 5) {
                    good = ledger.balanced();
                } else if (random.nextBoolean()) {
                    ledger.book(random.nextInt(3), random.nextInt(-9, 10));
                } else {
                    good = ledger.move(random.nextInt(3), random.nextInt(3), random.nextInt(9));
                }
                if (!good) {
                    fault = "ledger out of balance";
                }
                operations.incrementAndGet();
                Thread.sleep(id < 5 ? random.nextInt(1, 4) : random.nextInt(3, 9));
            }
        } catch (InterruptedException e) {
            fault = "interrupted";
        } catch (RuntimeException e) {
            fault = e.toString();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Ledger ledger = new Ledger();
        for (int i = 0; i < 7; i++) {
            int id = i;
            Thread t = new Thread(() -> work(ledger, id), "clerk " + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(1000L * seconds);
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + operations);
    }
}
