// @lock ModelGuard$OwnedLock
// @type LOCK reentrant=true
// @role lock ModelGuard$BaseLock.lock
// @role lock ModelGuard$BaseLock.tryLock
// @role unlock ModelGuard$BaseLock.unlock

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A spreadsheet behind a re-entrant lock whose waiting lives in a base class and whose bookkeeping in a subclass. */
public final class ModelGuard {
    abstract static class BaseLock {
        /** Takes the lock for this thread if that is possible now; called with the monitor held. */
        protected abstract boolean grab(Thread t);

        /** Gives back one level; true if the lock is free now. */
        protected abstract boolean drop(Thread t);

        public void lock() throws InterruptedException {
            synchronized (this) {
                while (!grab(Thread.currentThread())) {
                    wait();
                }
            }
        }

        public boolean tryLock(long millis) throws InterruptedException {
            long deadline = System.nanoTime() + millis * 1_000_000L;
            synchronized (this) {
                while (!grab(Thread.currentThread())) {
                    long left = (deadline - System.nanoTime()) / 1_000_000L;
                    if (left <= 0) {
                        return false;
                    }
                    wait(left);
                }
                return true;
            }
        }

        public void unlock() {
            synchronized (this) {
                if (drop(Thread.currentThread())) {
                    notifyAll();
                }
            }
        }
    }

    static final class OwnedLock extends BaseLock {
        private Thread holder;
        private int holds;

        @Override
        protected boolean grab(Thread t) {
            if (holds > 0 && holder != t) {
                return false;
            }
            holder = t;
            holds++;
            return true;
        }

        @Override
        protected boolean drop(Thread t) {
            if (holder != t || holds == 0) {
                throw new IllegalMonitorStateException();
            }
            holds--;
            if (holds == 0) {
                holder = null;
                return true;
            }
            return false;
        }
    }

    private final BaseLock lock = new OwnedLock();
    private final long[] cells = new long[16];
    private final AtomicLong edits = new AtomicLong();
    private volatile boolean failed;

    private void set(int cell, long value) throws InterruptedException {
        lock.lock();
        try {
            cells[15] += value - cells[cell];
            cells[cell] = value;
        } finally {
            lock.unlock();
        }
    }

    private void fill(long value) throws InterruptedException {
        lock.lock();
        try {
            for (int i = 0; i < 15; i++) {
                set(i, value);
            }
            Thread.sleep(1); // repaint
        } finally {
            lock.unlock();
        }
    }

    private void check() throws InterruptedException {
        if (!lock.tryLock(15)) {
            return;
        }
        try {
            long sum = 0;
            for (int i = 0; i < 15; i++) {
                sum += cells[i];
            }
            if (sum != cells[15]) {
                failed = true;
            }
        } finally {
            lock.unlock();
        }
    }

    private void user(int id) {
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        try {
            while (!failed) {
                if (id == 0) {
                    check();
                } else if (dice.nextInt(3) == 0) {
                    set(dice.nextInt(15), dice.nextInt(100));
                } else {
                    fill(dice.nextInt(100));
                }
                edits.incrementAndGet();
                Thread.sleep(dice.nextInt(1, 4));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ModelGuard sheet = new ModelGuard();
        for (int i = 0; i < 5; i++) {
            int id = i;
            Thread t = new Thread(() -> sheet.user(id), "user-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (sheet.failed) {
            throw new IllegalStateException("the sum cell is wrong");
        }
        System.out.println("DONE " + sheet.edits);
    }
}
