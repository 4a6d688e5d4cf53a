// @lock LedgerPen$Pen
// @type LOCK reentrant=true
// @role lock LedgerPen$Pen.lock
// @role unlock LedgerPen$Pen.unlock

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** One pen for the ledger: a clerk who holds it may start an entry within an entry, nobody else may write. */
public class LedgerPen {
    static class Pen {
        private boolean isTaken = false;
        private Thread takenBy = null;
        private int takenCount = 0;

        public synchronized void lock() throws InterruptedException {
            Thread callingThread = Thread.currentThread();
            while (isTaken && takenBy != callingThread) {
                wait();
            }
            isTaken = true;
            takenBy = callingThread;
            takenCount++;
        }

        public synchronized void unlock() {
            if (Thread.currentThread() != takenBy) {
                throw new IllegalMonitorStateException("not your pen");
            }
            takenCount--;
            if (takenCount == 0) {
                isTaken = false;
                takenBy = null;
                notify();
            }
        }
    }

    private final Pen pen = new Pen();
    private long debit;
    private long credit;
    private long entries;
    static final AtomicLong errors = new AtomicLong();

    void post(long amount) throws InterruptedException {
        pen.lock();
        try {
            side(true, amount);
            Thread.sleep(1);
            side(false, amount);
            if (debit != credit) {
                errors.incrementAndGet();
            }
        } finally {
            pen.unlock();
        }
    }

    private void side(boolean left, long amount) throws InterruptedException {
        pen.lock();
        try {
            if (left) {
                debit += amount;
            } else {
                credit += amount;
            }
            entries++;
        } finally {
            pen.unlock();
        }
    }

    void clerk() {
        try {
            while (true) {
                post(ThreadLocalRandom.current().nextInt(1, 1000));
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        LedgerPen book = new LedgerPen();
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(book::clerk, "clerk-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        book.pen.lock();
        long total = book.entries;
        if (errors.get() > 0 || total % 2 != 0) {
            throw new IllegalStateException("the ledger does not balance");
        }
        book.pen.unlock();
        System.out.println("DONE " + total);
    }
}
