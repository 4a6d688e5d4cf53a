// Monthly payroll, over and over: each run starts a thread per department, all of them book into one journal.
// @lock java.lang.Object#book
// @type MUTEX
// @role enter PayrollRun$Journal.book
// @role enter PayrollRun$Journal.audit
//
// @lock PayrollRun$Batch
// @type LATCH count=4
// @role count-down PayrollRun$Batch.done
// @role await PayrollRun$Batch.awaitAll
//
// @lock PayrollRun$Dept
// @type JOIN
// @role join java.lang.Thread.join
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class PayrollRun {
    static final AtomicLong OPS = new AtomicLong();

    static void fail(String m) { System.out.println("FAILED " + m); System.exit(1); }

    static final class Journal {
        private final Object guard = new Object();
        private long debit, credit;
        private int lines;

        void book(long cents) throws InterruptedException {
            synchronized (guard) {
                debit += cents;
                if (++lines % 2 == 0) Thread.sleep(1);      // page to the journal printer
                credit += cents;
            }
        }

        void audit() throws InterruptedException {
            synchronized (guard) {
                if (debit != credit) fail("journal out of balance");
                Thread.sleep(1);
                if (debit != credit) fail("journal changed during audit");
            }
        }
    }

    /** One pay run; departments report by number. */
    static final class Batch {
        private final boolean[] reported;
        private final long[] sums;

        Batch(int departments) { reported = new boolean[departments]; sums = new long[departments]; }

        private boolean complete() {
            for (boolean r : reported) if (!r) return false;
            return true;
        }

        synchronized void done(int dept, long sum) {
            reported[dept] = true;
            sums[dept] = sum;
            if (complete()) notifyAll();
        }

        synchronized long awaitAll() throws InterruptedException {
            while (!complete()) wait();
            long s = 0;
            for (long x : sums) s += x;
            return s;
        }
    }

    static final class Dept extends Thread {
        final Batch batch;
        final Journal journal;
        final int no;
        volatile long paid;
        volatile boolean filed;

        Dept(Batch b, Journal j, int no) { super("dept-" + no); batch = b; journal = j; this.no = no; setDaemon(true); }

        @Override public void run() {
            try {
                long sum = 0;
                for (int i = 0; i < 2; i++) {
                    long c = ThreadLocalRandom.current().nextLong(1000, 9000);
                    journal.book(c);
                    sum += c;
                    Thread.sleep(1 + no);
                }
                paid = sum;
                batch.done(no, sum);
                Thread.sleep(2 + no % 2);       // file the slips
                filed = true;
            } catch (InterruptedException e) {
                fail("department interrupted");
            }
        }
    }

    static final class Office implements Runnable {
        final Journal journal;
        Office(Journal j) { journal = j; }

        @Override public void run() {
            try {
                for (;;) {
                    Batch b = new Batch(4);
                    Dept[] ds = new Dept[4];
                    for (int i = 0; i < 4; i++) (ds[i] = new Dept(b, journal, i)).start();
                    long total = b.awaitAll();
                    for (Dept d : ds) {
                        d.join();
                        if (!d.filed) fail("slips not filed");
                        total -= d.paid;
                    }
                    if (total != 0) fail("totals differ");
                    OPS.incrementAndGet();
                    Thread.sleep(4);
                }
            } catch (InterruptedException e) {
                fail("office interrupted");
            }
        }
    }

    static void auditor(Journal j) {
        try {
            for (;;) { j.audit(); Thread.sleep(4); }
        } catch (InterruptedException e) {
            fail("auditor interrupted");
        }
    }

    public static void main(String[] args) throws Exception {
        int secs = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Journal j = new Journal();
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread(new Office(j), "office-" + i);
            t.setDaemon(true);
            t.start();
        }
        Thread a = new Thread(() -> auditor(j), "auditor");
        a.setDaemon(true);
        a.start();
        System.out.println("READY");
        Thread.sleep(secs * 1000L);
        if (OPS.get() == 0) fail("no pay run");
        System.out.println("DONE " + OPS.get());
    }
}
