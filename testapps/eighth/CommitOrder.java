// @lock CommitOrder$Sequencer
// @type CONDITION
// @role wait CommitOrder$Sequencer.awaitTurn
// @role notify CommitOrder$Sequencer.done
//
// @lock CommitOrder$TableLatch
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock CommitOrder$TableLatch.acquire
// @role write-lock CommitOrder$TableLatch.acquire
// @role read-unlock CommitOrder$TableLatch.release
// @role write-unlock CommitOrder$TableLatch.release

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Transactions that run side by side and are committed strictly in the order of their numbers. The table itself is
 * protected the way it is done in database kernels: one method to acquire, in a mode, and one to release.
 */
public final class CommitOrder {

    /** Keeps the commits in order. */
    static final class Sequencer {
        private long next = 1;

        synchronized void awaitTurn(long number) throws InterruptedException {
            while (next != number) {
                wait();
            }
        }

        synchronized void done(long number) {
            if (next != number) {
                throw new IllegalStateException(number + " committed instead of " + next);
            }
            next++;
            notifyAll();
        }
    }

    static final class TableLatch {
        enum Mode {
            FREE, SHARED, EXCLUSIVE;

            boolean admits(Mode other) {
                return this == FREE || this == SHARED && other == SHARED;
            }
        }

        private Mode mode = Mode.FREE;
        private int holders;

        synchronized void acquire(Mode wanted) throws InterruptedException {
            while (!mode.admits(wanted)) {
                wait();
            }
            mode = wanted;
            holders++;
        }

        synchronized void release() {
            holders--;
            if (holders == 0) {
                mode = Mode.FREE;
                notifyAll();
            }
        }
    }

    private static final class Store {
        final TableLatch latch = new TableLatch();
        final Sequencer sequencer = new Sequencer();
        final AtomicLong numbers = new AtomicLong();
        final List<Long> history = new ArrayList<>();
        long balance;

        void transaction() throws InterruptedException {
            long number = numbers.incrementAndGet();
            long seen = read();
            Thread.sleep(ThreadLocalRandom.current().nextInt(4));
            sequencer.awaitTurn(number);
            latch.acquire(TableLatch.Mode.EXCLUSIVE);
            try {
                if (balance < seen || balance != number * (number - 1) / 2) {
                    throw new IllegalStateException("transaction " + number + " found " + balance);
                }
                history.add(number);
                if (history.size() > 100) {
                    history.clear();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                balance += number;
            } finally {
                latch.release();
            }
            sequencer.done(number);
        }

        long read() throws InterruptedException {
            latch.acquire(TableLatch.Mode.SHARED);
            try {
                long before = balance;
                Thread.sleep(1);
                if (before != balance) {
                    throw new IllegalStateException("the balance changed under a reader");
                }
                return before;
            } finally {
                latch.release();
            }
        }

        void report() throws InterruptedException {
            read();
            Thread.sleep(4);
        }
    }

    private static volatile Throwable failure;

    private interface Body {
        void once() throws InterruptedException;
    }

    private static void start(String name, Body body) {
        Thread thread = new Thread(() -> {
            try {
                for (;;) {
                    body.once();
                }
            } catch (Throwable t) {
                failure = t;
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Store store = new Store();
        for (int i = 0; i < 4; i++) {
            start("session-" + i, store::transaction);
        }
        start("report-0", store::report);
        start("report-1", store::report);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new Exception(failure);
        }
        System.out.println("DONE " + store.numbers);
    }
}
