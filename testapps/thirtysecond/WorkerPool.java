// @lock WorkerPool$Tasks
// @type PRODUCER-CONSUMER+CONDITION capacity=20
// @role put WorkerPool$Tasks.submit
// @role take WorkerPool$Tasks.next
// @role wait WorkerPool$Tasks.awaitQuiescence
// @role notify WorkerPool$Tasks.finished

// @lock WorkerPool$Worker
// @type JOIN
// @role join WorkerPool$Worker.awaitTermination

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A thread pool with a limit of twenty tasks by priority, whose workers come and go; an administrator waits until all is done. */
public class WorkerPool {
    static final class Task implements Comparable<Task> {
        final int priority;

        Task(int priority) {
            this.priority = priority;
        }

        @Override
        public int compareTo(Task o) {
            return Integer.compare(priority, o.priority);
        }
    }

    static final class Tasks {
        private final PriorityQueue<Task> heap = new PriorityQueue<>();
        private int running;

        synchronized void submit(Task t) throws InterruptedException {
            while (heap.size() >= 20) {
                wait();
            }
            heap.offer(t);
            notifyAll();
        }

        synchronized Task next() throws InterruptedException {
            while (heap.isEmpty()) {
                wait();
            }
            running++;
            Task t = heap.poll();
            notifyAll();
            return t;
        }

        synchronized void finished() {
            running--;
            if (running == 0 && heap.isEmpty()) {
                notifyAll();
            }
        }

        synchronized void awaitQuiescence() throws InterruptedException {
            while (running > 0 || !heap.isEmpty()) {
                wait();
            }
        }
    }

    static final class Worker extends Thread {
        private final Tasks tasks;
        private final int lifetime;
        private boolean terminated;

        Worker(Tasks tasks, int lifetime) {
            super("worker");
            this.tasks = tasks;
            this.lifetime = lifetime;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < lifetime; i++) {
                    tasks.next();
                    Thread.sleep(1);
                    tasks.finished();
                }
            } catch (InterruptedException e) {
                interrupt();
            } finally {
                terminated();
            }
        }

        private synchronized void terminated() {
            terminated = true;
            notifyAll();
        }

        synchronized boolean awaitTermination(long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (!terminated) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
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
        Tasks tasks = new Tasks();
        for (int i = 0; i < 3; i++) {
            loop("acceptor-" + i, () -> {
                for (int k = 0; k < 12; k++) {
                    tasks.submit(new Task(k % 3));
                }
                pause(10, 40);
            });
            loop("supervisor-" + i, () -> {
                Worker w = new Worker(tasks, 25);
                w.start();
                check(w.awaitTermination(60_000), "a worker does not end");
            });
        }
        loop("admin", () -> {
            tasks.awaitQuiescence();
            pause(2, 8);
        });
        finish(args);
    }
}
