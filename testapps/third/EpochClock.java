// @lock EpochClock$Synchronizer
// @type BARRIER parties=4
// @role arrive EpochClock$Synchronizer.finished
//
// @lock EpochClock$Blackboard
// @type MUTEX
// @role enter EpochClock$Blackboard.post
// @role enter EpochClock$Blackboard.total

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Graph workers in supersteps: each says which one it has finished and waits for the others; results go to a blackboard between. */
public final class EpochClock {
    static final class Synchronizer {
        private final Map<Integer, Integer> finishedBy = new HashMap<>();
        private final int workers;

        Synchronizer(int workers) {
            this.workers = workers;
        }

        void finished(int step) throws InterruptedException {
            synchronized (this) {
                int n = finishedBy.merge(step, 1, Integer::sum);
                if (n == workers) {
                    finishedBy.remove(step - 1);
                    notifyAll();
                } else {
                    while (finishedBy.get(step) < workers) {
                        wait();
                    }
                }
            }
        }
    }

    static final class Blackboard {
        private final long[] totals = new long[2];

        synchronized void post(int step, int messages) throws InterruptedException {
            long t = totals[step & 1];
            Thread.sleep(1);
            totals[step & 1] = t + messages;
        }

        synchronized long total(int step) throws InterruptedException {
            Thread.sleep(1);
            return totals[step & 1];
        }

        synchronized void wipe(int step) {
            totals[step & 1] = 0;
        }
    }

    private final Synchronizer clock = new Synchronizer(4);
    private final Blackboard board = new Blackboard();
    private final AtomicInteger steps = new AtomicInteger();
    private volatile boolean wrong;

    private void work(int me) {
        try {
            for (int step = 0; !wrong; step++) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                board.post(step, me + 1);
                clock.finished(3 * step);
                if (board.total(step) != 10) {
                    wrong = true;
                }
                clock.finished(3 * step + 1);
                if (me == 0) {
                    board.wipe(step);
                    steps.incrementAndGet();
                }
                clock.finished(3 * step + 2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        EpochClock graph = new EpochClock();
        Thread[] workers = new Thread[4];
        for (int i = 0; i < workers.length; i++) {
            int me = i;
            workers[i] = new Thread(() -> graph.work(me), "worker-" + i);
            workers[i].setDaemon(true);
            workers[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        for (Thread t : workers) {
            t.interrupt();
        }
        if (graph.wrong || graph.steps.get() == 0) {
            throw new IllegalStateException("a superstep began too early");
        }
        System.out.println("DONE " + graph.steps);
    }
}
