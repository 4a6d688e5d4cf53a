// @lock PermitRank$Waiter
// @type SEMAPHORE permits=3
// @role acquire PermitRank$Desk.acquire
// @role release PermitRank$Desk.release

import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Three permits, handed to the most urgent of those who wait: the desk's monitor guards the count and the waiting list, but each
 * who must wait does so on a waiter of his own. Desk and waiters together are one semaphore.
 */
public final class PermitRank {
    static final class Waiter implements Comparable<Waiter> {
        final int rank;
        final long since;
        boolean served;

        Waiter(int rank, long since) {
            this.rank = rank;
            this.since = since;
        }

        @Override
        public int compareTo(Waiter o) {
            return rank != o.rank ? Integer.compare(rank, o.rank) : Long.compare(since, o.since);
        }
    }

    static final class Desk {
        private final PriorityQueue<Waiter> waiting = new PriorityQueue<>();
        private int permits = 3;
        private long arrivals;

        void acquire(int rank) throws InterruptedException {
            Waiter me;
            synchronized (this) {
                if (permits > 0) {
                    permits--;
                    return;
                }
                me = new Waiter(rank, arrivals++);
                waiting.add(me);
            }
            synchronized (me) {
                while (!me.served) {
                    me.wait();
                }
            }
        }

        void release() {
            Waiter next;
            synchronized (this) {
                next = waiting.poll();
                if (next == null) {
                    permits++;
                    return;
                }
            }
            synchronized (next) {
                next.served = true;
                next.notify();
            }
        }
    }

    private final Desk desk = new Desk();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong served = new AtomicLong();
    private volatile boolean tooMany;
    private volatile boolean stop;

    private void visit(int rank) {
        try {
            while (!stop) {
                desk.acquire(rank);
                try {
                    tooMany |= inside.incrementAndGet() > 3;
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
                    inside.decrementAndGet();
                } finally {
                    desk.release();
                }
                served.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
            }
        } catch (InterruptedException e) {
            tooMany = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        PermitRank office = new PermitRank();
        Thread[] visitors = new Thread[8];
        for (int i = 0; i < visitors.length; i++) {
            int rank = i % 3;
            visitors[i] = new Thread(() -> office.visit(rank), "visitor-" + i);
            visitors[i].setDaemon(true);
            visitors[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        office.stop = true;
        for (Thread t : visitors) {
            t.join(5_000);
        }
        if (office.tooMany || office.desk.permits != 3) {
            throw new IllegalStateException("permits: " + office.desk.permits);
        }
        System.out.println("DONE " + office.served);
    }
}
