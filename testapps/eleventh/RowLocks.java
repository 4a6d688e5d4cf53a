// @lock RowLocks$RowLock
// @type LOCK reentrant=true
// @role lock RowLocks$RowLock.lock
// @role unlock RowLocks$RowLock.unlock
// @role unlock RowLocks$RowLock.unlockFully
//
// @lock RowLocks$UndoSpace
// @type MUTEX
// @role enter RowLocks$UndoSpace.remember

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A small storage engine: exclusive row locks kept until commit and re-entered by the same transaction, and a shared undo space. */
public final class RowLocks {
    static final class DeadlockAvoidedException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** Owned by a transaction, that is by the thread which runs it. */
    static final class RowLock {
        private Transaction owner;
        private int depth;

        void lock(Transaction tx, long timeoutMillis) throws InterruptedException, DeadlockAvoidedException {
            long until = System.nanoTime() + timeoutMillis * 1_000_000;
            synchronized (this) {
                while (owner != null && owner != tx) {
                    long left = (until - System.nanoTime()) / 1_000_000;
                    if (left <= 0) {
                        throw new DeadlockAvoidedException();
                    }
                    wait(left);
                }
                owner = tx;
                depth++;
            }
        }

        void unlock(Transaction tx) {
            synchronized (this) {
                requireOwner(tx);
                if (--depth == 0) {
                    owner = null;
                    notify();
                }
            }
        }

        void unlockFully(Transaction tx) {
            synchronized (this) {
                requireOwner(tx);
                depth = 0;
                owner = null;
                notify();
            }
        }

        private void requireOwner(Transaction tx) {
            if (owner != tx) {
                throw new IllegalMonitorStateException("row is not locked by " + tx);
            }
        }
    }

    static final class Row {
        final RowLock lock = new RowLock();
        long balance = 100;
    }

    static final class UndoSpace {
        private final long[] ring = new long[64];
        private int at;
        private long images;

        synchronized void remember(long before) throws InterruptedException {
            ring[at++ % ring.length] = before;
            images++;
            if (at % 4 == 0) {
                Thread.sleep(1);
            }
        }

        synchronized long images() {
            return images;
        }
    }

    private final List<Row> rows = new ArrayList<>();
    private final UndoSpace undo = new UndoSpace();
    private static final AtomicLong commits = new AtomicLong();
    private static final AtomicLong rollbacks = new AtomicLong();
    private static volatile String failure;

    RowLocks(int n) {
        for (int i = 0; i < n; i++) {
            rows.add(new Row());
        }
    }

    final class Transaction {
        private final List<Row> touched = new ArrayList<>();

        private void lockForUpdate(Row row) throws InterruptedException, DeadlockAvoidedException {
            row.lock.lock(this, 20);
            if (!touched.contains(row)) {
                touched.add(row);
            }
        }

        void add(Row row, long amount) throws InterruptedException, DeadlockAvoidedException {
            lockForUpdate(row);
            undo.remember(row.balance);
            long seen = row.balance;
            Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            row.balance = seen + amount;
        }

        void transfer(Row from, Row to) throws InterruptedException, DeadlockAvoidedException {
            lockForUpdate(from);
            lockForUpdate(to);
            if (from.balance > 0) {
                add(from, -1);
                add(to, 1);
                from.lock.unlock(this);
            }
        }

        void end() {
            Collections.reverse(touched);
            for (Row row : touched) {
                row.lock.unlockFully(this);
            }
            touched.clear();
        }
    }

    private void session() {
        try {
            while (failure == null) {
                int a = ThreadLocalRandom.current().nextInt(rows.size());
                int b = (a + 1 + ThreadLocalRandom.current().nextInt(rows.size() - 1)) % rows.size();
                Transaction tx = new Transaction();
                try {
                    tx.transfer(rows.get(a), rows.get(b));
                    commits.incrementAndGet();
                } catch (DeadlockAvoidedException e) {
                    rollbacks.incrementAndGet();
                } finally {
                    tx.end();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalMonitorStateException e) {
            failure = e.getMessage();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        RowLocks table = new RowLocks(8);
        Thread[] sessions = new Thread[8];
        for (int i = 0; i < sessions.length; i++) {
            sessions[i] = new Thread(table::session, "session-" + i);
            sessions[i].setDaemon(true);
            sessions[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        String found = failure;
        failure = "over";
        for (Thread t : sessions) {
            t.join();
        }
        long sum = table.rows.stream().mapToLong(r -> r.balance).sum();
        if (found != null || sum != 800 || table.undo.images() < commits.get()) {
            throw new IllegalStateException(found + ", sum " + sum);
        }
        System.out.println("DONE " + commits);
    }
}
