// @lock RecordLocks$LockTable
// @type LOCK reentrant=false
// @role lock RecordLocks$LockTable.lockRecord
// @role unlock RecordLocks$LockTable.unlockRecord
// @role unlock RecordLocks$LockTable.unlockAll

import java.util.Enumeration;
import java.util.Hashtable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An order system from 1998: clerks lock the customer's record, change it and unlock it, or drop all they hold at once.
 *
 * <p>One monitor guards the owners of all records: as many locks as there are records, on one object.
 */
public class RecordLocks {
    static class LockTable {
        private Hashtable<Integer, Thread> owners = new Hashtable<Integer, Thread>();

        public synchronized void lockRecord(int record) throws InterruptedException {
            Thread me = Thread.currentThread();
            Thread owner;
            while ((owner = owners.get(record)) != null) {
                if (owner == me) {
                    throw new IllegalStateException("record " + record + " is locked by you");
                }
                wait();
            }
            owners.put(record, me);
        }

        public synchronized void unlockRecord(int record) {
            if (owners.get(record) != Thread.currentThread()) {
                throw new IllegalStateException("record " + record + " is not locked by you");
            }
            owners.remove(record);
            notifyAll();
        }

        public synchronized void unlockAll() {
            Thread me = Thread.currentThread();
            int[] mine = new int[owners.size()];
            int count = 0;
            for (Enumeration<Integer> e = owners.keys(); e.hasMoreElements();) {
                Integer record = e.nextElement();
                if (owners.get(record) == me) {
                    mine[count++] = record.intValue();
                }
            }
            for (int i = 0; i < count; i++) {
                owners.remove(mine[i]);
            }
            if (count > 0) {
                notifyAll();
            }
        }
    }

    static class Clerk extends Thread {
        private final LockTable table;
        private long changes;

        Clerk(String name, LockTable table) {
            super(name);
            this.table = table;
        }

        public void run() {
            try {
                while (!stop) {
                    int a = ThreadLocalRandom.current().nextInt(RECORDS);
                    if (ThreadLocalRandom.current().nextBoolean()) {
                        table.lockRecord(a);
                        change(a);
                        table.unlockRecord(a);
                    } else {
                        int b = (a + 1) % RECORDS;
                        table.lockRecord(Math.min(a, b));
                        table.lockRecord(Math.max(a, b));
                        change(a);
                        change(b);
                        table.unlockAll();
                    }
                    Thread.sleep(1);
                }
            } catch (InterruptedException e) {
                failure = e;
            } catch (RuntimeException e) {
                failure = e;
                stop = true;
                table.unlockAll();
            }
        }

        private void change(int record) throws InterruptedException {
            long old = balances[record];
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            balances[record] = old + 1;
            changes++;
            ops.incrementAndGet();
        }
    }

    static final int RECORDS = 4;
    static final long[] balances = new long[RECORDS];
    static final AtomicLong ops = new AtomicLong();
    static volatile boolean stop;
    static volatile Exception failure;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        LockTable table = new LockTable();
        Clerk[] clerks = new Clerk[7];
        for (int i = 0; i < clerks.length; i++) {
            clerks[i] = new Clerk("clerk-" + i, table);
            clerks[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        long made = 0;
        for (Clerk c : clerks) {
            c.join();
            made += c.changes;
        }
        long stored = 0;
        for (long b : balances) {
            stored += b;
        }
        if (failure != null || made != stored) {
            throw new IllegalStateException("made " + made + ", stored " + stored, failure);
        }
        System.out.println("DONE " + ops);
    }
}
