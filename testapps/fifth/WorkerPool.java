// @lock WorkerPool$TaskQueue
// @type PRODUCER-CONSUMER capacity=10
// @role put WorkerPool$TaskQueue.submit
// @role take WorkerPool$TaskQueue.nextTask

import java.util.LinkedList;
import java.util.Random;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicLong;

/** A thread pool written before there was one in the library: ten tasks may wait, and a worker idle for too long is replaced. */
public class WorkerPool {
    static class TaskQueue {
        private LinkedList<Runnable> tasks = new LinkedList<Runnable>();
        private int limit;

        TaskQueue(int limit) {
            this.limit = limit;
        }

        public synchronized void submit(Runnable task) {
            while (tasks.size() >= limit) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new RuntimeException("interrupted while submitting");
                }
            }
            tasks.addLast(task);
            notifyAll();
        }

        /** Returns null if there was nothing to do for so long. */
        public synchronized Runnable nextTask(long keepAlive) {
            long until = System.currentTimeMillis() + keepAlive;
            while (tasks.size() == 0) {
                long left = until - System.currentTimeMillis();
                if (left <= 0) {
                    return null;
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    return null;
                }
            }
            Runnable task = tasks.removeFirst();
            notifyAll();
            return task;
        }
    }

    class Worker extends Thread {
        Worker(int number) {
            super("worker-" + number);
        }

        public void run() {
            Runnable task;
            while ((task = queue.nextTask(50)) != null) {
                task.run();
            }
            replace(this);
        }
    }

    private final TaskQueue queue = new TaskQueue(10);
    private final Vector<Worker> workers = new Vector<Worker>();
    private int number;

    WorkerPool(int size) {
        for (int i = 0; i < size; i++) {
            addWorker();
        }
    }

    private void addWorker() {
        synchronized (workers) {
            Worker w = new Worker(++number);
            w.setDaemon(true);
            workers.addElement(w);
            w.start();
        }
    }

    private void replace(Worker w) {
        workers.removeElement(w);
        addWorker();
    }

    private static final AtomicLong given = new AtomicLong();
    private static final AtomicLong done = new AtomicLong();
    private static volatile boolean stop;

    private static void work(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        done.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        final WorkerPool pool = new WorkerPool(4);
        Thread[] clients = new Thread[3];
        for (int i = 0; i < clients.length; i++) {
            final Random random = new Random(i);
            clients[i] = new Thread("client-" + i) {
                public void run() {
                    while (!stop) {
                        for (int burst = random.nextInt(16); burst > 0; burst--) {
                            final int millis = 1 + random.nextInt(4);
                            given.incrementAndGet();
                            pool.queue.submit(() -> work(millis));
                        }
                        try {
                            sleep(random.nextInt(40) + 1);
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                }
            };
            clients[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread c : clients) {
            c.join();
        }
        long deadline = System.currentTimeMillis() + 5000;
        while (done.get() < given.get() && System.currentTimeMillis() < deadline) {
            Thread.sleep(5);
        }
        if (done.get() != given.get()) {
            throw new IllegalStateException("given " + given + ", done " + done);
        }
        System.out.println("DONE " + done);
    }
}
