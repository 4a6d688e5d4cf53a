// @lock LedgerLock$OwnedLock
// @type LOCK reentrant=true
// @role lock LedgerLock$OwnedLock.acquire
// @role unlock LedgerLock$OwnedLock.release

import java.util.Random;

/** A textbook re-entrant lock (owner, holds), used by a ledger whose operations call one another. */
public class LedgerLock {
    static class OwnedLock {
        private Thread owner_ = null;
        private long holds_ = 0;

        public void acquire() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            final Thread caller = Thread.currentThread();
            synchronized (this) {
                if (caller == owner_) {
                    ++holds_;
                } else {
                    try {
                        while (owner_ != null) {
                            wait();
                        }
                        owner_ = caller;
                        holds_ = 1;
                    } catch (InterruptedException ex) {
                        notify();
                        throw ex;
                    }
                }
            }
        }

        public synchronized void release() {
            if (Thread.currentThread() != owner_) {
                throw new Error("Illegal Lock usage");
            }
            if (--holds_ == 0) {
                owner_ = null;
                notify();
            }
        }
    }

    private final OwnedLock lock = new OwnedLock();
    private final int[] balance = new int[16];
    private long moves;
    private int inside;

    void move(int from, int to, int amount) throws InterruptedException {
        lock.acquire();
        try {
            if (++inside != 1) {
                throw new IllegalStateException("two threads inside");
            }
            change(from, -amount);
            change(to, amount);
            moves++;
            inside--;
        } finally {
            lock.release();
        }
    }

    void change(int account, int by) throws InterruptedException {
        lock.acquire();
        try {
            balance[account] += by;
            if ((account & 3) == 0) {
                Thread.sleep(1);
            }
        } finally {
            lock.release();
        }
    }

    int total() throws InterruptedException {
        lock.acquire();
        try {
            int sum = 0;
            for (int b : balance) {
                sum += b;
            }
            return sum;
        } finally {
            lock.release();
        }
    }

    public static void main(String[] a) throws Exception {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        final LedgerLock ledger = new LedgerLock();
        final Throwable[] failure = new Throwable[1];
        for (int i = 0; i < 4; i++) {
            final Random rnd = new Random(i);
            Thread clerk = new Thread() {
                @Override
                public void run() {
                    try {
                        while (true) {
                            ledger.move(rnd.nextInt(16), rnd.nextInt(16), rnd.nextInt(100));
                            Thread.sleep(rnd.nextInt(4));
                        }
                    } catch (Throwable t) {
                        failure[0] = t;
                    }
                }
            };
            clerk.setDaemon(true);
            clerk.start();
        }
        System.out.println("READY");
        System.out.flush();
        long end = System.currentTimeMillis() + seconds * 1000;
        while (System.currentTimeMillis() < end) {
            if (ledger.total() != 0 || failure[0] != null) {
                System.out.println("ledger does not balance: " + failure[0]);
                System.exit(1);
            }
            Thread.sleep(10);
        }
        System.out.println("DONE " + ledger.moves);
    }
}
