// @lock VoteRound$Ballot
// @type LATCH count=3
// @role count-down VoteRound$Ballot.vote
// @role await VoteRound$Ballot.outcome
//
// @lock java.lang.Class#force
// @type MUTEX
// @role enter VoteRound$TxLog.force
//
// @lock VoteRound$Inbox
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put VoteRound$Inbox.post
// @role take VoteRound$Inbox.receive

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A transaction monitor: two coordinators ask three resource managers to prepare, and log what came of it. */
public class VoteRound {

    /** One ballot per transaction. */
    static final class Ballot {
        private int missing = 3;
        private boolean refused;
        final long tx;

        Ballot(long tx) {
            this.tx = tx;
        }

        void vote(boolean yes) {
            synchronized (this) {
                if (missing == 0) {
                    fault = "fourth vote on " + tx;
                    return;
                }
                if (!yes) {
                    refused = true;
                }
                if (--missing == 0) {
                    notifyAll();
                }
            }
        }

        boolean outcome() throws InterruptedException {
            synchronized (this) {
                while (missing > 0) {
                    wait();
                }
                return !refused;
            }
        }
    }

    /** The forced log of the monitor. There is one per process. */
    static final class TxLog {
        private static long records;
        private static long sum;

        private TxLog() { }

        static synchronized void force(long tx, boolean commit) throws InterruptedException {
            long before = records;
            sum += commit ? 1 : 0;
            Thread.sleep(1);
            if (records != before) {
                fault = "two forces at a time";
            }
            records = before + 1;
            if (sum > records) {
                fault = "more commits than records at " + tx;
            }
        }
    }

    static final class Inbox {
        private static final class Cell {
            final Ballot work;
            Cell next;

            Cell(Ballot work) {
                this.work = work;
            }
        }

        private Cell first;
        private Cell last;

        synchronized void post(Ballot b) {
            Cell c = new Cell(b);
            if (first == null) {
                first = c;
            } else {
                last.next = c;
            }
            last = c;
            notify();
        }

        synchronized Ballot receive() throws InterruptedException {
            while (first == null) {
                wait();
            }
            Ballot b = first.work;
            first = first.next;
            return b;
        }
    }

    static volatile String fault;
    static final AtomicLong DONE = new AtomicLong();
    static final AtomicLong TX = new AtomicLong();
    static final Inbox[] INBOXES = {new Inbox(), new Inbox(), new Inbox()};

    static class ResourceManager extends Thread {
        private final Inbox inbox;

        ResourceManager(int i) {
            super("rm-" + i);
            inbox = INBOXES[i];
            setDaemon(true);
        }

        @Override public void run() {
            try {
                while (true) {
                    Ballot b = inbox.receive();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    boolean yes = b.tx % 17 != 0;
                    TxLog.force(b.tx, yes);
                    b.vote(yes);
                }
            } catch (InterruptedException e) {
                fault = "resource manager interrupted";
            }
        }
    }

    static class Coordinator extends Thread {
        Coordinator(int i) {
            super("coordinator-" + i);
            setDaemon(true);
        }

        @Override public void run() {
            try {
                while (true) {
                    Ballot b = new Ballot(TX.incrementAndGet());
                    for (Inbox in : INBOXES) {
                        in.post(b);
                    }
                    boolean commit = b.outcome();
                    if (commit == (b.tx % 17 == 0)) {
                        fault = "wrong outcome of " + b.tx;
                    }
                    TxLog.force(b.tx, commit);
                    DONE.incrementAndGet();
                    Thread.sleep(2);
                }
            } catch (InterruptedException e) {
                fault = "coordinator interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            new ResourceManager(i).start();
        }
        new Coordinator(1).start();
        new Coordinator(2).start();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end) {
            Thread.sleep(50);
            if (fault != null) {
                System.out.println("FAULT " + fault);
                System.exit(1);
            }
        }
        System.out.println("DONE " + DONE.get());
        System.exit(0);
    }
}
