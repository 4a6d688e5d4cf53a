// @lock RaftNode$Log
// @type CONDITION+MUTEX
// @role wait RaftNode$Log.awaitCommitted
// @role notify RaftNode$Log.advanceCommit
// @role enter RaftNode$Log.append

// @lock RaftNode$Applied
// @type CONDITION
// @role wait RaftNode$Applied.awaitApplied
// @role notify RaftNode$Applied.set

// @lock RaftNode$Quorum
// @type LATCH count=2
// @role count-down RaftNode$Quorum.ack
// @role await RaftNode$Quorum.await

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A replicated state machine: entries are acknowledged by two followers, then committed, applied in order by one thread, and answered. */
public class RaftNode {
    static final class Log {
        private final ArrayList<Integer> entries = new ArrayList<>();
        private int commitIndex;

        synchronized int append(int command) {
            entries.add(command);
            return entries.size();
        }

        synchronized void advanceCommit(int index) {
            if (index > commitIndex) {
                commitIndex = index;
                notifyAll();
            }
        }

        synchronized int awaitCommitted(int lastApplied) throws InterruptedException {
            while (commitIndex <= lastApplied) {
                wait();
            }
            return commitIndex;
        }
    }

    static final class Applied {
        private int index;

        void set(int i) {
            synchronized (this) {
                index = i;
                notifyAll();
            }
        }

        boolean awaitApplied(int i, long timeout) throws InterruptedException {
            long end = System.nanoTime() + timeout * 1_000_000L;
            synchronized (this) {
                while (index < i) {
                    long left = (end - System.nanoTime()) / 1_000_000L;
                    if (left <= 0) {
                        return false;
                    }
                    wait(left);
                }
                return true;
            }
        }
    }

    static final class Quorum {
        final int index;
        private int missing;

        Quorum(int index, int needed) {
            this.index = index;
            missing = needed;
        }

        synchronized void ack() {
            if (missing > 0) {
                missing--;
                if (missing == 0) {
                    notifyAll();
                }
            }
        }

        synchronized void await() throws InterruptedException {
            while (missing > 0) {
                wait();
            }
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Log log = new Log();
        Applied applied = new Applied();
        List<Queue<Quorum>> followers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Queue<Quorum> q = new java.util.concurrent.ConcurrentLinkedQueue<>();
            followers.add(q);
            loop("follower-" + i, () -> {
                Quorum r = q.poll();
                if (r == null) {
                    pause(1, 2);
                } else {
                    pause(1, 4);
                    r.ack();
                }
            });
        }
        for (int i = 0; i < 3; i++) {
            loop("client-" + i, () -> {
                int index = log.append(1);
                Quorum q = new Quorum(index, 2);
                for (Queue<Quorum> f : followers) {
                    f.add(q);
                }
                q.await();
                log.advanceCommit(index);
                check(applied.awaitApplied(index, 30_000), "not applied in time");
            });
        }
        int[] done = {0};
        loop("apply", () -> {
            int c = log.awaitCommitted(done[0]);
            check(c > done[0], "nothing new");
            done[0] = c;
            pause(1, 3);
            applied.set(c);
        });
        finish(args);
    }
}
