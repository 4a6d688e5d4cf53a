// @lock GroupRebalance$JoinBarrier
// @type BARRIER parties=5
// @role arrive GroupRebalance$JoinBarrier.joinGroup
//
// @lock GroupRebalance$OffsetLock
// @type LOCK reentrant=true
// @role lock GroupRebalance$OwnedLock.acquire
// @role unlock GroupRebalance$OwnedLock.yieldUp

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A consumer group: five members rejoin for each generation, the last one deals out the partitions, and offsets are committed under a lock. */
public final class GroupRebalance {
    static final int MEMBERS = 5;

    /** What one generation of the group agrees on. */
    static final class Generation {
        final int id;
        private final int[] memberOf = new int[MEMBERS];
        private int joined;
        private boolean stable;

        Generation(int id) {
            this.id = id;
        }
    }

    static final class JoinBarrier {
        private Generation forming = new Generation(1);

        synchronized Generation joinGroup(int member) throws InterruptedException {
            final Generation mine = forming;
            mine.memberOf[mine.joined++] = member;
            if (mine.joined == MEMBERS) {
                mine.stable = true;
                forming = new Generation(mine.id + 1);
                notifyAll();
            }
            while (!mine.stable) {
                wait();
            }
            return mine;
        }
    }

    abstract static class OwnedLock {
        private int holds;
        private Thread owner;

        final void acquire() throws InterruptedException {
            synchronized (this) {
                if (owner != Thread.currentThread()) {
                    while (owner != null) {
                        wait();
                    }
                    owner = Thread.currentThread();
                    acquired();
                }
                holds++;
            }
        }

        final void yieldUp() {
            synchronized (this) {
                if (owner != Thread.currentThread()) {
                    throw new IllegalMonitorStateException();
                }
                if (--holds == 0) {
                    owner = null;
                    notify();
                }
            }
        }

        protected abstract void acquired();
    }

    static final class OffsetLock extends OwnedLock {
        private long acquisitions;

        @Override
        protected void acquired() {
            acquisitions++;
        }
    }

    private final JoinBarrier barrier = new JoinBarrier();
    private final OffsetLock lock = new OffsetLock();
    private final long[] offsets = new long[MEMBERS];
    private long committed;
    private final AtomicIntegerArray generations = new AtomicIntegerArray(MEMBERS);

    private static final AtomicLong polls = new AtomicLong();
    private static volatile String failure;

    private void commit(int partition) throws InterruptedException {
        lock.acquire();
        try {
            long before = committed;
            advance(partition);
            advance(partition);
            Thread.sleep(ThreadLocalRandom.current().nextInt(2));
            if (committed != before + 2 || Arrays.stream(offsets).sum() != committed) {
                failure = "two members committed at once";
            }
        } finally {
            lock.yieldUp();
        }
    }

    private void advance(int partition) throws InterruptedException {
        lock.acquire();
        try {
            offsets[partition]++;
            committed++;
        } finally {
            lock.yieldUp();
        }
    }

    void member(int id) {
        try {
            while (failure == null) {
                Generation g = barrier.joinGroup(id);
                generations.set(id, g.id);
                int partition = -1;
                for (int i = 0; i < MEMBERS; i++) {
                    if (g.memberOf[i] == id) {
                        partition = i;
                    }
                    int other = generations.get(i);
                    if (other < g.id - 1 || other > g.id) {
                        failure = "generation " + other + " beside " + g.id;
                    }
                }
                for (int i = ThreadLocalRandom.current().nextInt(1, 4); i > 0; i--) {
                    commit(partition);
                    polls.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(3));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        GroupRebalance[] groups = {new GroupRebalance(), new GroupRebalance()};
        for (GroupRebalance group : groups) {
            for (int i = 0; i < MEMBERS; i++) {
                int id = i;
                Thread t = new Thread(() -> group.member(id), "member-" + i);
                t.setDaemon(true);
                t.start();
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + polls);
    }
}
