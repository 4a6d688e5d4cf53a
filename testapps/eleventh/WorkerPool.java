// @lock java.util.LinkedList#execute
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put WorkerPool.execute
// @role take WorkerPool.nextTask
//
// @lock WorkerPool$Batch
// @type LATCH count=6
// @role count-down WorkerPool$Batch.taskDone
// @role await WorkerPool$Batch.waitForAll

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A thread pool as written before Java 5, and batches of six thumbnails that each submitter waits for. */
public class WorkerPool {
    private final LinkedList<Runnable> queue = new LinkedList<Runnable>();

    public WorkerPool(int size) {
        for (int i = 0; i < size; i++) {
            new Worker(i).start();
        }
    }

    public void execute(Runnable task) {
        synchronized (queue) {
            queue.addLast(task);
            queue.notify();
        }
    }

    private Runnable nextTask() throws InterruptedException {
        synchronized (queue) {
            while (queue.isEmpty()) {
                queue.wait();
            }
            return queue.removeFirst();
        }
    }

    private class Worker extends Thread {
        Worker(int id) {
            super("PoolWorker-" + id);
            setDaemon(true);
        }

        @Override
        public void run() {
            while (!isInterrupted()) {
                Runnable task;
                try {
                    task = nextTask();
                } catch (InterruptedException e) {
                    return;
                }
                try {
                    task.run();
                } catch (RuntimeException e) {
                    // a bad task must not take its worker along
                    complaints.incrementAndGet();
                }
            }
        }
    }

    /** Six tasks that are waited for together. */
    static class Batch {
        static final int SIZE = 6;
        private int outstanding = SIZE;

        synchronized void taskDone() {
            if (--outstanding == 0) {
                notifyAll();
            }
        }

        synchronized void waitForAll() throws InterruptedException {
            while (outstanding > 0) {
                wait();
            }
        }
    }

    static class ThumbnailTask implements Runnable {
        private final Batch batch;
        private final AtomicInteger rendered;

        ThumbnailTask(Batch batch, AtomicInteger rendered) {
            this.batch = batch;
            this.rendered = rendered;
        }

        @Override
        public void run() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                rendered.incrementAndGet();
                if (ThreadLocalRandom.current().nextInt(30) == 0) {
                    throw new IllegalStateException("cannot decode");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                batch.taskDone();
            }
        }
    }

    private static final AtomicLong complaints = new AtomicLong();
    private static final AtomicLong batches = new AtomicLong();
    private static volatile boolean failed;

    static void submitter(WorkerPool pool) {
        try {
            while (!failed) {
                Batch batch = new Batch();
                AtomicInteger rendered = new AtomicInteger();
                for (int i = 0; i < Batch.SIZE; i++) {
                    pool.execute(new ThumbnailTask(batch, rendered));
                }
                batch.waitForAll();
                if (rendered.get() != Batch.SIZE) {
                    failed = true;
                }
                batches.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        final WorkerPool pool = new WorkerPool(8);
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(() -> submitter(pool), "gallery-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed || batches.get() == 0 || complaints.get() > batches.get() * Batch.SIZE + 30) {
            System.out.println("a batch ended before its tasks");
            System.exit(1);
        }
        System.out.println("DONE " + batches);
    }
}
