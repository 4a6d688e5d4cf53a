// @lock LedgerBook
// @type MUTEX+CONDITION
// @role enter LedgerBook.post
// @role enter LedgerBook.audit
// @role wait LedgerBook.awaitPeriod
// @role notify LedgerBook.closePeriod

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A general ledger: clerks post entries, an auditor adds them up, and reports wait until the accountant has closed their period.
 *
 * <p>One monitor, two purposes: clerks and auditor just exclude each other; the reporters wait on it.
 */
public class LedgerBook {
    static class Entry {
        final String debit;
        final String credit;
        final long cents;

        Entry(String debit, String credit, long cents) {
            this.debit = debit;
            this.credit = credit;
            this.cents = cents;
        }
    }

    private List<Entry> open = new ArrayList<Entry>();
    private final List<Long> closed = new ArrayList<Long>();
    private long turnover;

    public synchronized void post(Entry e) throws InterruptedException {
        if (e.debit.equals(e.credit)) {
            throw new IllegalArgumentException("an entry against itself");
        }
        open.add(e);
        Thread.sleep(1);
        turnover += e.cents;
    }

    public synchronized boolean audit() {
        long sum = 0;
        for (Entry e : open) {
            sum += e.cents;
        }
        for (Long c : closed) {
            sum += c.longValue();
        }
        return sum == turnover;
    }

    public synchronized long awaitPeriod(int period) throws InterruptedException {
        while (closed.size() <= period) {
            wait();
        }
        return closed.get(period).longValue();
    }

    public synchronized int closePeriod() {
        long sum = 0;
        for (Entry e : open) {
            sum += e.cents;
        }
        open = new ArrayList<Entry>();
        closed.add(Long.valueOf(sum));
        notifyAll();
        return closed.size();
    }

    private static final AtomicLong posted = new AtomicLong();
    private static volatile String failure;

    private static void clerk(LedgerBook book) throws InterruptedException {
        book.post(new Entry("cash", "sales", ThreadLocalRandom.current().nextInt(1, 10_000)));
        posted.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
    }

    private static void auditor(LedgerBook book) throws InterruptedException {
        if (!book.audit()) {
            failure = "the ledger does not balance";
        }
        Thread.sleep(4);
    }

    private static void accountant(LedgerBook book) throws InterruptedException {
        Thread.sleep(8);
        book.closePeriod();
    }

    private static void reporter(LedgerBook book) throws InterruptedException {
        for (int period = 0; failure == null; period++) {
            if (book.awaitPeriod(period) < 0) {
                failure = "a negative turnover";
            }
        }
    }

    interface Step {
        void on(LedgerBook book) throws InterruptedException;
    }

    private static void loop(String name, LedgerBook book, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    step.on(book);
                }
            } catch (InterruptedException e) {
                failure = "interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        LedgerBook book = new LedgerBook();
        for (int i = 0; i < 5; i++) {
            loop("clerk-" + i, book, LedgerBook::clerk);
        }
        loop("auditor", book, LedgerBook::auditor);
        loop("accountant", book, LedgerBook::accountant);
        for (int i = 0; i < 3; i++) {
            loop("reporter-" + i, book, LedgerBook::reporter);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + posted);
    }
}
