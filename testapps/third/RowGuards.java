// @lock RowGuards$RowLock
// @type LOCK reentrant=true
// @role lock RowGuards$RowLock.take
// @role unlock RowGuards$RowLock.drop
//
// @lock RowGuards$LockTable
// @type MUTEX
// @role enter RowGuards$LockTable.of
// @role enter RowGuards$LockTable.vacuum

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Row locks of an embedded database: one object per row, held by a transaction, found through a table that has its own lock. */
public final class RowGuards {
    static final class RowLock {
        private Thread owner;
        private int holds;
        int value;

        public synchronized void take() {
            Thread me = Thread.currentThread();
            boolean interrupted = false;
            while (owner != null && owner != me) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            owner = me;
            ++holds;
            if (interrupted) {
                me.interrupt();
            }
        }

        public synchronized void drop() {
            if (Thread.currentThread() != owner) {
                throw new IllegalStateException("not the owner");
            }
            if (--holds == 0) {
                owner = null;
                notify();
            }
        }
    }

    static final class LockTable {
        private final Map<Integer, RowLock> rows = new HashMap<>();
        private int looked;

        synchronized RowLock of(int row) throws InterruptedException {
            RowLock lock = rows.get(row);
            if (lock == null) {
                lock = new RowLock();
                rows.put(row, lock);
            }
            if (++looked % 3 == 0) {
                Thread.sleep(1);
            }
            return lock;
        }

        synchronized int vacuum() throws InterruptedException {
            Thread.sleep(3);
            return rows.size();
        }
    }

    private static final int ROWS = 3;
    private static final LockTable table = new LockTable();
    private static final AtomicLong booked = new AtomicLong();
    private static volatile boolean finish;
    private static volatile boolean wrong;

    private static void update(int row) throws InterruptedException {
        RowLock lock = table.of(row);
        lock.take();
        try {
            int old = lock.value;
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
            reread(lock, old);
            lock.value = old + 1;
        } finally {
            lock.drop();
        }
        booked.incrementAndGet();
    }

    private static void reread(RowLock lock, int expected) {
        lock.take();
        if (lock.value != expected) {
            wrong = true;
        }
        lock.drop();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] threads = new Thread[7];
        for (int i = 0; i < threads.length; i++) {
            boolean vacuum = i == 0;
            threads[i] = new Thread(() -> {
                try {
                    while (!finish) {
                        if (vacuum) {
                            if (table.vacuum() > ROWS) {
                                wrong = true;
                            }
                            Thread.sleep(8);
                        } else {
                            update(ThreadLocalRandom.current().nextInt(ROWS));
                            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
                        }
                    }
                } catch (InterruptedException e) {
                    wrong = true;
                }
            }, vacuum ? "vacuum" : "tx-" + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        finish = true;
        for (Thread t : threads) {
            t.join(5_000);
        }
        long sum = 0;
        for (int r = 0; r < ROWS; r++) {
            sum += table.of(r).value;
        }
        if (wrong || sum != booked.get()) {
            throw new IllegalStateException("lost an update: " + sum + " of " + booked);
        }
        System.out.println("DONE " + sum);
    }
}
