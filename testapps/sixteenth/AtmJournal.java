// @lock JournalFile
// @type LOCK reentrant=true
// @role lock JournalFile.open
// @role lock JournalFile.openIfFree
// @role unlock JournalFile.close
// @lock CashBox
// @type MUTEX
// @role enter CashBox.dispense
// @role enter CashBox.refill
// @role enter CashBox.consistent

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The journal of a cash machine. One thread has it open; what it calls may open it again. */
class JournalFile {
    private Thread openedBy;
    private int opens;
    private String reason;
    private long switches, givenUp;
    private final StringBuilder page = new StringBuilder();
    private int linesStarted, linesEnded;

    synchronized void open(String why) throws InterruptedException {
        Thread me = Thread.currentThread();
        if (openedBy == me) {
            opens++;
            return;
        }
        while (openedBy != null) wait();
        openedBy = me;
        opens = 1;
        reason = why;
        switches++;
    }

    synchronized boolean openIfFree(String why, int millis) throws InterruptedException {
        Thread me = Thread.currentThread();
        long until = System.nanoTime() + millis * 1000000L;
        while (openedBy != null && openedBy != me) {
            long left = until - System.nanoTime();
            if (left <= 0) {
                givenUp++;
                return false;
            }
            wait(left / 1000000 + 1);
        }
        if (openedBy == null) {
            openedBy = me;
            reason = why;
            switches++;
        }
        opens++;
        return true;
    }

    synchronized void close() {
        if (openedBy != Thread.currentThread()) throw new IllegalStateException("open for " + reason);
        if (--opens > 0) return;
        openedBy = null;
        reason = null;
        notify();
    }

    // with the journal open
    boolean line(String text) throws InterruptedException {
        open("line");
        try {
            linesStarted++;
            if (page.length() > 2000) page.setLength(0);
            page.append(text).append('\n');
            Thread.sleep(1);
            linesEnded++;
            return linesStarted == linesEnded;
        } finally {
            close();
        }
    }

    boolean transaction(String card, int amount) throws InterruptedException {
        open("transaction");
        try {
            return line("card " + card) && line("amount " + amount);
        } finally {
            close();
        }
    }
}

class CashBox {
    private final int[] notes = {500, 500, 500};
    private static final int[] VALUE = {10, 20, 50};
    private long out, in = 500 * 80;
    private boolean low;

    synchronized boolean dispense(int amount) throws InterruptedException {
        int rest = amount;
        int[] give = new int[3];
        for (int i = 2; i >= 0; i--) {
            give[i] = Math.min(rest / VALUE[i], notes[i]);
            rest -= give[i] * VALUE[i];
        }
        if (rest > 0) {
            low = true;
            return false;
        }
        for (int i = 0; i < 3; i++) notes[i] -= give[i];
        Thread.sleep(2);
        out += amount;
        return true;
    }

    synchronized void refill() throws InterruptedException {
        if (!low) return;
        for (int i = 0; i < 3; i++) {
            in += (500 - notes[i]) * VALUE[i];
            notes[i] = 500;
        }
        Thread.sleep(1);
        low = false;
    }

    synchronized boolean consistent() {
        long here = 0;
        for (int i = 0; i < 3; i++) here += notes[i] * VALUE[i];
        return in - out == here;
    }
}

public class AtmJournal {
    static volatile String bad;
    static final AtomicLong ops = new AtomicLong();

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok && bad == null) bad = what; }

    static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                for (;;) { body.run(); ops.incrementAndGet(); }
            } catch (Throwable e) {
                check(false, name + " died: " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
    public static void main(String[] v) throws Exception {
        JournalFile journal = new JournalFile();
        CashBox box = new CashBox();
        for (int i = 0; i < 4; i++) {
            String card = "C" + i;
            spawn("atm-" + i, () -> {
                int amount = 10 * ThreadLocalRandom.current().nextInt(1, 20);
                if (!box.dispense(amount)) return;
                check(journal.transaction(card, amount), "lines mixed");
                pause(2, 8);
            });
        }
        spawn("service", () -> {
            if (journal.openIfFree("service", 30)) {
                try {
                    check(journal.line("service"), "lines mixed by service");
                } finally {
                    journal.close();
                }
            }
            box.refill();
            check(box.consistent(), "cash differs");
            pause(3, 6);
        });
        System.out.println("READY");
        long end = System.nanoTime() + (v.length > 0 ? Integer.parseInt(v[0]) : 600) * 1000000000L;
        while (System.nanoTime() < end && bad == null) Thread.sleep(40);
        check(ops.get() > 0, "no progress");
        if (bad != null) {
            System.out.println("FAILED " + bad);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
