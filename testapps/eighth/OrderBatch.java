// @lock OrderBatch$ControlTotals
// @type MUTEX
// @role enter OrderBatch$ControlTotals.post
//
// @lock OrderBatch$Batch
// @type LATCH count=4
// @role count-down OrderBatch$Batch.legPosted
// @role await OrderBatch$Batch.awaitCompletion

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The posting run of an accounting system. A batch is posted in four legs, by a poster each; the clerk and the auditor wait
 * for a batch to be complete. Control totals over all batches are kept under a lock of their own.
 */
public class OrderBatch {

    static class ControlTotals {
        private BigDecimal debit = BigDecimal.ZERO;
        private BigDecimal credit = BigDecimal.ZERO;
        private long postings;

        synchronized void post(BigDecimal amount) throws InterruptedException {
            debit = debit.add(amount);
            Thread.sleep(1);    // the journal is written before the other side is booked
            credit = credit.add(amount);
            if (debit.compareTo(credit) != 0) {
                throw new IllegalStateException("totals differ: " + debit + " " + credit);
            }
            postings++;
        }

        synchronized long getPostings() {
            return postings;
        }
    }

    static class Batch {
        private final BigDecimal[] legs = new BigDecimal[4];
        private int legsOpen = legs.length;

        void legPosted(int leg, BigDecimal amount) {
            synchronized (this) {
                if (legs[leg] != null) {
                    throw new IllegalStateException("leg " + leg + " posted twice");
                }
                legs[leg] = amount;
                if (--legsOpen == 0) {
                    notifyAll();
                }
            }
        }

        BigDecimal awaitCompletion() throws InterruptedException {
            synchronized (this) {
                while (legsOpen > 0) {
                    wait();
                }
            }
            BigDecimal sum = BigDecimal.ZERO;
            for (BigDecimal leg : legs) {
                sum = sum.add(leg);
            }
            return sum;
        }
    }

    private final ControlTotals totals = new ControlTotals();
    private final List<Queue<Batch>> inboxes = new ArrayList<>();
    private final Queue<Batch> audited = new ConcurrentLinkedQueue<>();
    private volatile Exception failure;
    private volatile boolean closing;

    private abstract class Task extends Thread {
        Task(String name) {
            super(name);
        }

        abstract void step() throws InterruptedException;

        @Override
        public void run() {
            try {
                while (!closing) {
                    step();
                }
            } catch (InterruptedException | RuntimeException e) {
                if (!closing) {
                    failure = e;
                }
            }
        }
    }

    private class Poster extends Task {
        private final int leg;

        Poster(int leg) {
            super("poster-" + leg);
            this.leg = leg;
        }

        @Override
        void step() throws InterruptedException {
            Batch batch = inboxes.get(leg).poll();
            if (batch == null) {
                sleep(1);
                return;
            }
            BigDecimal amount = BigDecimal.valueOf(ThreadLocalRandom.current().nextInt(1, 100_000), 2);
            totals.post(amount);
            batch.legPosted(leg, amount);
        }
    }

    private class Clerk extends Task {
        Clerk() {
            super("clerk");
        }

        @Override
        void step() throws InterruptedException {
            Batch batch = new Batch();
            audited.add(batch);
            inboxes.forEach(inbox -> inbox.add(batch));
            if (batch.awaitCompletion().signum() <= 0) {
                throw new IllegalStateException("an empty batch");
            }
        }
    }

    private class Auditor extends Task {
        Auditor() {
            super("auditor");
        }

        @Override
        void step() throws InterruptedException {
            Batch batch = audited.poll();
            if (batch == null) {
                sleep(1);
            } else {
                batch.awaitCompletion();
            }
        }
    }

    private void run(long seconds) throws Exception {
        List<Task> tasks = new ArrayList<>();
        for (int leg = 0; leg < 4; leg++) {
            inboxes.add(new ConcurrentLinkedQueue<>());
            tasks.add(new Poster(leg));
        }
        tasks.add(new Clerk());
        tasks.add(new Auditor());
        for (Task task : tasks) {
            task.setDaemon(true);
            task.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        closing = true;
        if (failure != null) {
            throw failure;
        }
        System.out.println("DONE " + totals.getPostings());
    }

    public static void main(String[] args) throws Exception {
        new OrderBatch().run(args.length > 0 ? Long.parseLong(args[0]) : 600);
    }
}
