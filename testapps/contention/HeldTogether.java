import java.util.Map;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Two readers, who share a lock, and a writer, who does not, and a program that keeps books of it: what share of all time blocked
 * each thread has caused, where several held it in equal parts. HeldTogether door|rw|permits ROUNDS: a lock that the program has built
 * of blocks on a monitor nobody else sees; a ReentrantReadWriteLock; two permits of a Semaphore. Written for JDK 8.
 */
public final class HeldTogether {
    /** Begin, end, thread. */
    static final Queue<Object[]> held = new ConcurrentLinkedQueue<Object[]>();
    static final Queue<Object[]> wanted = new ConcurrentLinkedQueue<Object[]>();

    /** Readers and writers, without a synchronized method. */
    static final class Door {
        private final Object hinge = new Object();
        private int readers;
        private boolean writing;

        void startRead() throws InterruptedException {
            synchronized (hinge) {
                while (writing) {
                    hinge.wait();
                }
                readers++;
            }
        }

        void endRead() {
            synchronized (hinge) {
                if (--readers == 0) {
                    hinge.notifyAll();
                }
            }
        }

        void startWrite() throws InterruptedException {
            synchronized (hinge) {
                while (writing || readers > 0) {
                    hinge.wait();
                }
                writing = true;
            }
        }

        void endWrite() {
            synchronized (hinge) {
                writing = false;
                hinge.notifyAll();
            }
        }
    }

    static final Door DOOR = new Door();
    static final ReadWriteLock LOCK = new ReentrantReadWriteLock();
    static final Semaphore PERMITS = new Semaphore(2);

    static void take(String kind, boolean writes) throws InterruptedException {
        if (kind.equals("permits")) {
            PERMITS.acquire();
        } else if (kind.equals("rw")) {
            (writes ? LOCK.writeLock() : LOCK.readLock()).lock();
        } else if (writes) {
            DOOR.startWrite();
        } else {
            DOOR.startRead();
        }
    }

    static void give(String kind, boolean writes) {
        if (kind.equals("permits")) {
            PERMITS.release();
        } else if (kind.equals("rw")) {
            (writes ? LOCK.writeLock() : LOCK.readLock()).unlock();
        } else if (writes) {
            DOOR.endWrite();
        } else {
            DOOR.endRead();
        }
    }

    static Thread start(final String kind, final String name, final boolean writes, final int rounds, final long millis) {
        Thread thread = new Thread(new Runnable() {
            @Override public void run() {
                try {
                    for (int round = 0; round < rounds; round++) {
                        long begin = System.nanoTime();
                        take(kind, writes);
                        long since = System.nanoTime();
                        wanted.add(new Object[] {begin, since, name});
                        Thread.sleep(millis);
                        held.add(new Object[] {since, System.nanoTime(), name});
                        give(kind, writes);
                        Thread.sleep(5 + (round * 7) % 11);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }, name);
        thread.start();
        return thread;
    }

    /** Divides a wait among those who held the lock meanwhile. */
    static void divide(Object[] want, Map<String, Long> caused) {
        long begin = (Long) want[0];
        long end = (Long) want[1];
        SortedSet<Long> cuts = new TreeSet<Long>();
        cuts.add(end);
        for (Object[] hold : held) {
            cuts.add(Math.min(end, Math.max(begin, (Long) hold[0])));
            cuts.add(Math.min(end, Math.max(begin, (Long) hold[1])));
        }
        long from = begin;
        for (long to : cuts) {
            TreeSet<String> there = new TreeSet<String>();
            for (Object[] hold : held) {
                if ((Long) hold[0] <= from && (Long) hold[1] >= to) {
                    there.add((String) hold[2]);
                }
            }
            for (String name : there) {
                Long sum = caused.get(name);
                caused.put(name, (sum == null ? 0 : sum) + (to - from) / there.size());
            }
            from = to;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        String kind = args[0];
        int rounds = Integer.parseInt(args[1]);
        System.out.println("READY");
        Thread[] threads = {
            start(kind, "glancer", false, rounds, 10), start(kind, "reader", false, rounds, 24), start(kind, "writer", true, rounds, 16),
        };
        for (Thread thread : threads) {
            thread.join();
        }
        Map<String, Long> caused = new TreeMap<String, Long>();
        long all = 0;
        for (Object[] want : wanted) {
            all += (Long) want[1] - (Long) want[0];
            divide(want, caused);
        }
        System.out.println("BLOCKED " + all);
        for (Map.Entry<String, Long> entry : caused.entrySet()) {
            System.out.println("BOOK thread " + entry.getKey() + " " + entry.getValue());
        }
        System.out.println("DONE " + held.size());
    }
}
