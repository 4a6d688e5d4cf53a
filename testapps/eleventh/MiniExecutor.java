// @lock MiniExecutor
// @type PRODUCER-CONSUMER+LATCH capacity=unbounded count=3
// @role put MiniExecutor.execute
// @role take MiniExecutor.getTask
// @role count-down MiniExecutor.workerDone
// @role await MiniExecutor.awaitTermination

import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A small executor with three workers, made for each import and awaited at its end; tasks and termination share the executor's monitor. */
public class MiniExecutor {
    private final List<Runnable> tasks = new LinkedList<Runnable>();
    private boolean shutdown;
    private int workers = 3;

    public MiniExecutor(String name) {
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(new Worker(), name + "-" + i);
            t.setDaemon(true);
            t.start();
        }
    }

    public synchronized void execute(Runnable task) {
        if (shutdown) {
            throw new IllegalStateException("shut down");
        }
        tasks.add(task);
        notify();
    }

    /** Null when there is nothing more and nothing will come. */
    private synchronized Runnable getTask() {
        while (tasks.isEmpty()) {
            if (shutdown) {
                return null;
            }
            try {
                wait();
            } catch (InterruptedException e) {
                // a worker ends by shutdown only
                shutdown = true;
            }
        }
        return tasks.remove(0);
    }

    public synchronized void shutdown() {
        shutdown = true;
        notifyAll();
    }

    private synchronized void workerDone() {
        workers--;
        if (workers == 0) {
            notifyAll();
        }
    }

    public synchronized void awaitTermination() throws InterruptedException {
        while (workers > 0) {
            wait();
        }
    }

    private class Worker implements Runnable {
        @Override
        public void run() {
            try {
                Runnable task;
                while ((task = getTask()) != null) {
                    task.run();
                }
            } finally {
                workerDone();
            }
        }
    }

    private static final AtomicLong imports = new AtomicLong();
    private static volatile boolean failed;

    private static void importRows(AtomicLong rows) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        rows.addAndGet(10);
    }

    private static void importer() {
        try {
            while (!failed) {
                MiniExecutor executor = new MiniExecutor("import");
                AtomicLong rows = new AtomicLong();
                int chunks = ThreadLocalRandom.current().nextInt(6, 14);
                for (int i = 0; i < chunks; i++) {
                    executor.execute(() -> importRows(rows));
                    if (i % 2 == 0) {
                        Thread.sleep(1);
                    }
                }
                executor.shutdown();
                executor.awaitTermination();
                if (rows.get() != chunks * 10) {
                    failed = true;
                }
                imports.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(MiniExecutor::importer, "importer-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            System.err.println("terminated with rows outstanding");
            System.exit(1);
        }
        System.out.println("DONE " + imports);
    }
}
