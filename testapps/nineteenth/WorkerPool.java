// A worker pool with a bounded queue of six tasks. Submitters hand in a batch and then want the pool quiet (nothing queued, nothing
// running) before the next one; both waits are on the pool's own monitor.
//
// @lock WorkerPool$Pool
// @type PRODUCER-CONSUMER+CONDITION capacity=6
// @role put WorkerPool$Pool.submit
// @role take WorkerPool$Pool.nextTask
// @role wait WorkerPool$Pool.awaitQuiet
// @role notify WorkerPool$Pool.taskDone

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class WorkerPool {
    static final AtomicLong executed = new AtomicLong();
    static volatile String broken;

    interface Task {
        void execute() throws InterruptedException;
    }

    static class Pool {
        private static final int LIMIT = 6;
        private final List<Task> queue = new ArrayList<>(LIMIT);
        private int running;

        Pool(int workers) {
            for (int i = 0; i < workers; i++) {
                Worker w = new Worker(this, i);
                w.start();
            }
        }

        synchronized void submit(Task t) throws InterruptedException {
            while (queue.size() >= LIMIT) {
                wait();
            }
            queue.add(t);
            notifyAll();
        }

        synchronized Task nextTask() throws InterruptedException {
            while (queue.isEmpty()) {
                wait();
            }
            Task t = queue.remove(0);
            running++;
            notifyAll();
            return t;
        }

        synchronized void taskDone() {
            running--;
            if (running == 0 && queue.isEmpty()) {
                notifyAll();
            }
        }

        synchronized void awaitQuiet() throws InterruptedException {
            while (running > 0 || !queue.isEmpty()) {
                wait();
            }
        }
    }

    static class Worker extends Thread {
        private final Pool pool;

        Worker(Pool pool, int i) {
            super("worker-" + i);
            this.pool = pool;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    Task t = pool.nextTask();
                    try {
                        t.execute();
                    } finally {
                        pool.taskDone();
                    }
                    executed.incrementAndGet();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static class Submitter extends Thread {
        private final Pool pool;
        private final AtomicLong mine = new AtomicLong();

        Submitter(Pool pool, int i) {
            super("submitter-" + i);
            this.pool = pool;
            setDaemon(true);
        }

        @Override
        public void run() {
            long expected = 0;
            try {
                while (true) {
                    int batch = 8 + ThreadLocalRandom.current().nextInt(5);
                    for (int i = 0; i < batch; i++) {
                        final int cost = ThreadLocalRandom.current().nextInt(4);
                        pool.submit(() -> {
                            Thread.sleep(1 + cost);
                            mine.incrementAndGet();
                        });
                    }
                    expected += batch;
                    pool.awaitQuiet();
                    if (mine.get() != expected) {
                        broken = "quiet with " + (expected - mine.get()) + " tasks left";
                    }
                    Thread.sleep(2);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Pool pool = new Pool(4);
        for (int i = 0; i < 2; i++) {
            new Submitter(pool, i).start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + executed.get());
        System.exit(broken != null ? 1 : 0);
    }
}
