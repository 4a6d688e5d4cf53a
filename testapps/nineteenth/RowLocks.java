// Transactions lock rows, in the order of their keys; a row may be locked again by the transaction's own trigger.
// Some wait with a time limit and roll back. The waiting is written in the base class, the ownership in the row.
//
// @lock RowLocks$Row
// @type LOCK reentrant=true
// @role lock RowLocks$Lockable.lock
// @role lock RowLocks$Lockable.tryLock
// @role unlock RowLocks$Lockable.unlock

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class RowLocks {
    static final AtomicLong committed = new AtomicLong();
    static final AtomicLong rolledBack = new AtomicLong();
    static volatile String broken;

    abstract static class Lockable {
        abstract boolean admits(Thread who);

        abstract void granted(Thread who);

        abstract boolean dropped(Thread who);

        synchronized void lock() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (!admits(me)) {
                wait();
            }
            granted(me);
        }

        synchronized boolean tryLock(long millis) throws InterruptedException {
            Thread me = Thread.currentThread();
            long deadline = System.currentTimeMillis() + millis;
            while (!admits(me)) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            granted(me);
            return true;
        }

        synchronized void unlock() {
            if (dropped(Thread.currentThread())) {
                notifyAll();
            }
        }
    }

    static final class Row extends Lockable {
        private Thread owner;
        private int depth;
        int amount = 100;
        int version;

        @Override
        boolean admits(Thread who) {
            return owner == null || owner == who;
        }

        @Override
        void granted(Thread who) {
            owner = who;
            depth++;
        }

        @Override
        boolean dropped(Thread who) {
            if (owner != who) {
                throw new IllegalStateException("row of another transaction");
            }
            if (--depth == 0) {
                owner = null;
            }
            return owner == null;
        }

        void trigger() throws InterruptedException {
            lock();
            try {
                version++;
            } finally {
                unlock();
            }
        }
    }

    static final Row[] TABLE = {new Row(), new Row(), new Row(), new Row()};

    static void transfer() throws InterruptedException {
        ThreadLocalRandom rnd = ThreadLocalRandom.current();
        int low = rnd.nextInt(3);
        int high = low + 1 + rnd.nextInt(3 - low);
        Row a = TABLE[low];
        Row b = TABLE[high];
        a.lock();
        try {
            if (rnd.nextBoolean()) {
                b.lock();
            } else if (!b.tryLock(6)) {
                rolledBack.incrementAndGet();
                return;
            }
            try {
                int sum = a.amount + b.amount;
                int x = rnd.nextInt(20) - 10;
                a.amount -= x;
                a.trigger();
                Thread.sleep(1 + rnd.nextInt(4));
                b.amount += x;
                b.trigger();
                if (a.amount + b.amount != sum) {
                    broken = "money lost";
                }
                committed.incrementAndGet();
            } finally {
                b.unlock();
            }
        } finally {
            a.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread("transaction-" + i) {
                @Override
                public void run() {
                    try {
                        while (true) {
                            transfer();
                            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(5));
                        }
                    } catch (InterruptedException e) {
                        interrupt();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + committed.get());
        System.exit(broken != null ? 1 : 0);
    }
}
