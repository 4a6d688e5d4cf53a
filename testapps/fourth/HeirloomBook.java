// @lock HeirloomBook$ReadWriteLock
// @type READ-WRITE preference=writers reentrant=true
// @role read-lock HeirloomBook$ReadWriteLock.lockRead
// @role read-unlock HeirloomBook$ReadWriteLock.unlockRead
// @role write-lock HeirloomBook$ReadWriteLock.lockWrite
// @role write-unlock HeirloomBook$ReadWriteLock.unlockWrite

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A family's book of recipes, under the full read-write lock of the tutorials: re-entrant both ways, requests to write come first. */
public class HeirloomBook {
    static class ReadWriteLock {
        private final Map<Thread, Integer> readingThreads = new HashMap<>();
        private int writeAccesses = 0;
        private int writeRequests = 0;
        private Thread writingThread = null;

        public synchronized void lockRead() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (!canGrantReadAccess(me)) {
                wait();
            }
            readingThreads.merge(me, 1, Integer::sum);
        }

        private boolean canGrantReadAccess(Thread me) {
            if (writingThread == me) {
                return true;
            }
            if (writingThread != null) {
                return false;
            }
            if (readingThreads.containsKey(me)) {
                return true;
            }
            return writeRequests == 0;
        }

        public synchronized void unlockRead() {
            Thread me = Thread.currentThread();
            Integer count = readingThreads.get(me);
            if (count == null) {
                throw new IllegalMonitorStateException("not reading");
            }
            if (count == 1) {
                readingThreads.remove(me);
            } else {
                readingThreads.put(me, count - 1);
            }
            notifyAll();
        }

        public synchronized void lockWrite() throws InterruptedException {
            Thread me = Thread.currentThread();
            writeRequests++;
            try {
                while (!canGrantWriteAccess(me)) {
                    wait();
                }
                writeAccesses++;
                writingThread = me;
            } finally {
                writeRequests--;
            }
        }

        private boolean canGrantWriteAccess(Thread me) {
            return writingThread == me || writingThread == null && readingThreads.isEmpty();
        }

        public synchronized void unlockWrite() {
            if (writingThread != Thread.currentThread()) {
                throw new IllegalMonitorStateException("not writing");
            }
            writeAccesses--;
            if (writeAccesses == 0) {
                writingThread = null;
            }
            notifyAll();
        }
    }

    private final ReadWriteLock lock = new ReadWriteLock();
    private final TreeMap<String, Integer> grams = new TreeMap<>();
    static final AtomicLong spoilt = new AtomicLong();
    static final AtomicLong uses = new AtomicLong();

    int total() throws InterruptedException {
        lock.lockRead();
        try {
            int sum = 0;
            for (String name : new String[] {"flour", "sugar", "butter"}) {
                sum += amount(name);
                Thread.sleep(1);
            }
            return sum;
        } finally {
            lock.unlockRead();
        }
    }

    int amount(String name) throws InterruptedException {
        lock.lockRead();
        try {
            return grams.getOrDefault(name, 0);
        } finally {
            lock.unlockRead();
        }
    }

    void change(String name, int delta) throws InterruptedException {
        lock.lockWrite();
        try {
            grams.put(name, amount(name) + delta);
        } finally {
            lock.unlockWrite();
        }
    }

    void replace(String less, String more, int delta) throws InterruptedException {
        lock.lockWrite();
        try {
            change(less, -delta);
            Thread.sleep(1);
            change(more, delta);
        } finally {
            lock.unlockWrite();
        }
    }

    void relative(boolean cooks) {
        try {
            while (true) {
                if (cooks) {
                    if (total() != 600) {
                        spoilt.incrementAndGet();
                    }
                } else {
                    replace("flour", ThreadLocalRandom.current().nextBoolean() ? "sugar" : "butter", 1);
                }
                uses.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, cooks ? 9 : 13));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        HeirloomBook book = new HeirloomBook();
        book.change("flour", 300);
        book.change("sugar", 200);
        book.change("butter", 100);
        for (int i = 0; i < 7; i++) {
            boolean cooks = i < 4;
            Thread t = new Thread(() -> book.relative(cooks), (cooks ? "cook-" : "aunt-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (spoilt.get() > 0) {
            throw new IllegalStateException(spoilt + " dishes spoilt");
        }
        System.out.println("DONE " + uses);
    }
}
