// @lock FairLedger$Turns
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock FairLedger$Turns.openForReading
// @role write-lock FairLedger$Turns.openForPosting
// @role read-unlock FairLedger$Turns.doneReading
// @role write-unlock FairLedger$Turns.donePosting

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/** A ledger of two accounts: clerks read and post strictly in the order they came, each waiting on a slip of his own. */
public class FairLedger {
    static volatile String error;
    static final AtomicLong reads = new AtomicLong();
    static int left = 1000;
    static int right = 1000;

    /** Who waits, waits on this. */
    static final class Slip {
        final boolean posting;
        private boolean called;

        Slip(boolean posting) {
            this.posting = posting;
        }

        synchronized void await() {
            boolean again = false;
            while (!called) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    again = true;
                }
            }
            if (again) {
                Thread.currentThread().interrupt();
            }
        }

        synchronized void call() {
            called = true;
            notify();
        }
    }

    static final class Turns {
        private final ArrayDeque<Slip> line = new ArrayDeque<>();
        private int readers;
        private boolean posting;

        void openForReading() {
            Slip s;
            synchronized (this) {
                if (!posting && line.isEmpty()) {
                    readers++;
                    return;
                }
                s = new Slip(false);
                line.add(s);
            }
            s.await();
        }

        void openForPosting() {
            Slip s;
            synchronized (this) {
                if (!posting && readers == 0 && line.isEmpty()) {
                    posting = true;
                    return;
                }
                s = new Slip(true);
                line.add(s);
            }
            s.await();
        }

        synchronized void doneReading() {
            readers--;
            callNext();
        }

        synchronized void donePosting() {
            posting = false;
            callNext();
        }

        /** Hands the ledger to the head of the line: one who posts, or all readers up to the next such. */
        private void callNext() {
            while (!line.isEmpty() && !posting) {
                Slip s = line.peek();
                if (s.posting) {
                    if (readers > 0) {
                        return;
                    }
                    posting = true;
                } else {
                    readers++;
                }
                line.remove();
                s.call();
            }
        }
    }

    static void clerk(Turns t, boolean posts) {
        try {
            for (int n = 1; error == null; n++) {
                if (posts) {
                    t.openForPosting();
                    left -= n;
                    Thread.sleep(2);
                    right += n;
                    t.donePosting();
                    Thread.sleep(8);
                } else {
                    t.openForReading();
                    if (left + right != 2000) {
                        error = "unbalanced " + left + " " + right;
                    }
                    Thread.sleep(3);
                    t.doneReading();
                    reads.incrementAndGet();
                    Thread.sleep(3);
                }
            }
        } catch (InterruptedException e) {
            error = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Turns t = new Turns();
        for (int i = 0; i < 7; i++) {
            boolean posts = i >= 5;
            Thread c = new Thread(() -> clerk(t, posts), (posts ? "poster" : "reader") + i);
            c.setDaemon(true);
            c.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && error == null) {
            Thread.sleep(25);
        }
        if (error != null) {
            System.out.println(error);
            System.exit(1);
        }
        System.out.println("DONE " + reads);
    }
}
