// @lock QuorumVote$Ballot
// @type LATCH count=4
// @role count-down QuorumVote$Ballot.cast
// @role await QuorumVote$Ballot.outcome

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Replicas vote on proposals; proposer and observer wait for all four votes, with a time limit that is hardly ever met. */
public final class QuorumVote {
    static final class Ballot {
        private static final int VOTERS = 4;
        private final long number;
        private int yes;
        private int no;
        private volatile Ballot next;

        Ballot(long number) {
            this.number = number;
        }

        void cast(boolean vote) {
            synchronized (this) {
                if (vote) {
                    yes++;
                } else {
                    no++;
                }
                if (yes + no == VOTERS) {
                    notifyAll();
                }
            }
        }

        /** Votes in favour, or -1 if some replica did not answer in time. */
        int outcome(long time, TimeUnit unit) throws InterruptedException {
            long deadline = System.nanoTime() + unit.toNanos(time);
            synchronized (this) {
                while (yes + no != VOTERS) {
                    long left = deadline - System.nanoTime();
                    if (left <= 0) {
                        return -1;
                    }
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                }
                return yes;
            }
        }
    }

    private final AtomicLong decided = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final Ballot[] votes = new Ballot[4];
    private volatile Ballot current = new Ballot(0);

    private void replica(int id) {
        try {
            long voted = -1;
            while (true) {
                Ballot b = current;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                if (b.number > voted) {
                    voted = b.number;
                    votes[id] = b;
                    b.cast(id != 3);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void observe() {
        try {
            for (Ballot b = current;; b = b.next) {
                if (b.outcome(30, TimeUnit.SECONDS) != 3) {
                    wrong.incrementAndGet();
                }
                while (b.next == null) {
                    Thread.sleep(1);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        QuorumVote cluster = new QuorumVote();
        Runnable[] roles = {() -> cluster.replica(0), () -> cluster.replica(1), () -> cluster.replica(2),
            () -> cluster.replica(3), cluster::observe};
        for (Runnable r : roles) {
            Thread t = new Thread(r);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - until < 0) {
            Ballot b = cluster.current;
            if (b.outcome(30, TimeUnit.SECONDS) != 3) {
                cluster.wrong.incrementAndGet();
            }
            Ballot next = new Ballot(b.number + 1);
            b.next = next;
            cluster.current = next;
            cluster.decided.incrementAndGet();
        }
        if (cluster.wrong.get() > 0) {
            throw new IllegalStateException(cluster.wrong + " votes were miscounted");
        }
        System.out.println("DONE " + cluster.decided);
    }
}
