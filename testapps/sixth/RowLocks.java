// @lock RowLocks$LockTable
// @type LOCK reentrant=true
// @role lock RowLocks$LockTable.lockRow
// @role unlock RowLocks$LockTable.unlockAll

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A database's exclusive row locks: held until the end of the transaction, and a deadlock is ended by a time-out. */
public final class RowLocks {
    static final class Transaction {
        final long id;
        final List<Integer> rows = new ArrayList<>();
        final Map<Integer, Long> undo = new HashMap<>();

        Transaction(long id) {
            this.id = id;
        }
    }

    static final class LockTimeout extends Exception {
        private static final long serialVersionUID = 1L;

        LockTimeout(int row) {
            super("row " + row);
        }
    }

    static final class LockTable {
        private final Map<Integer, Transaction> owners = new HashMap<>();
        private int waiting;

        void lockRow(Transaction tx, int row, long timeout) throws LockTimeout, InterruptedException {
            synchronized (this) {
                Transaction owner = owners.get(row);
                if (owner == tx) {
                    return;
                }
                long deadline = System.currentTimeMillis() + timeout;
                while (owner != null) {
                    long left = deadline - System.currentTimeMillis();
                    if (left <= 0) {
                        throw new LockTimeout(row);
                    }
                    waiting++;
                    try {
                        wait(left);
                    } finally {
                        waiting--;
                    }
                    owner = owners.get(row);
                }
                owners.put(row, tx);
                tx.rows.add(row);
            }
        }

        void unlockAll(Transaction tx) {
            synchronized (this) {
                for (Integer row : tx.rows) {
                    if (owners.remove(row) != tx) {
                        throw new IllegalStateException("transaction " + tx.id + " did not own row " + row);
                    }
                }
                tx.rows.clear();
                if (waiting > 0) {
                    notifyAll();
                }
            }
        }
    }

    private static final int ROWS = 6;

    private final LockTable locks = new LockTable();
    private final long[] table = new long[ROWS];
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong rollbacks = new AtomicLong();
    private volatile Throwable fault;

    private void update(Transaction tx, int row, long delta) throws LockTimeout, InterruptedException {
        locks.lockRow(tx, row, 25);
        tx.undo.putIfAbsent(row, table[row]);
        long value = table[row];
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
        table[row] = value + delta;
    }

    private void session() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try {
            while (fault == null) {
                Transaction tx = new Transaction(sequence.incrementAndGet());
                try {
                    int a = random.nextInt(ROWS);
                    int b = random.nextInt(ROWS);
                    update(tx, a, -10);
                    update(tx, b, 7);
                    update(tx, a, 3);
                    commits.incrementAndGet();
                } catch (LockTimeout e) {
                    tx.undo.forEach((row, value) -> table[row] = value);
                    rollbacks.incrementAndGet();
                }
                locks.unlockAll(tx);
                Thread.sleep(random.nextInt(1, 5));
            }
        } catch (Throwable t) {
            fault = t;
        }
    }

    /** A transaction over the whole table, its rows locked in ascending order. */
    private void audit() throws InterruptedException {
        Transaction tx = new Transaction(sequence.incrementAndGet());
        try {
            long sum = 0;
            for (int row = 0; row < ROWS; row++) {
                locks.lockRow(tx, row, 100);
                sum += table[row];
            }
            if (sum != 0) {
                fault = new IllegalStateException("sum " + sum);
            }
        } catch (LockTimeout e) {
            rollbacks.incrementAndGet();
        }
        locks.unlockAll(tx);
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        RowLocks db = new RowLocks();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(db::session, "session-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long until = System.currentTimeMillis() + seconds * 1000;
        while (System.currentTimeMillis() < until && db.fault == null) {
            Thread.sleep(50);
            db.audit();
        }
        if (db.fault != null) {
            throw new IllegalStateException(db.fault);
        }
        System.out.println("DONE " + db.commits);
    }
}
