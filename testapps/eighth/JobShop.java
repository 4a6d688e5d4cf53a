// @lock JobShop$Pool
// @type PRODUCER-CONSUMER capacity=10
// @role put JobShop$Pool.enqueue
// @role take JobShop$Pool.next
//
// @lock JobShop$Job
// @type LATCH count=1 form=future
// @role count-down JobShop$Job.run
// @role await JobShop$Job.join
//
// @lock JobShop$Stats
// @type MUTEX
// @role enter JobShop$Stats.record

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/** A thread pool written before there were any: ten jobs may wait, whoever submits more is held up. Workers keep statistics. */
public class JobShop {

    static class Job<V> {
        private Callable<V> body;
        private V result;
        private Exception problem;

        Job(Callable<V> body) {
            this.body = body;
        }

        /** Called by a worker, once. */
        void run() {
            V value = null;
            Exception error = null;
            try {
                value = body.call();
            } catch (Exception e) {
                error = e;
            }
            synchronized (this) {
                result = value;
                problem = error;
                body = null;
                notifyAll();
            }
        }

        synchronized V join() throws Exception {
            while (body != null) {
                wait();
            }
            if (problem != null) {
                throw problem;
            }
            return result;
        }
    }

    static class Stats {
        private final long[] byKind = new long[4];
        private long total;

        void record(int kind) throws InterruptedException {
            synchronized (this) {
                byKind[kind]++;
                if (total % 4 == 0) {
                    Thread.sleep(1);
                }
                total++;
            }
        }

        synchronized long total() {
            return Arrays.stream(byKind).sum() == total ? total : -1;
        }
    }

    static class Pool {
        private static final int CAPACITY = 10;
        private static final Job<Void> POISON = new Job<>(() -> null);

        private final Queue<Job<?>> waiting = new ArrayDeque<>();
        private final List<Thread> workers = new ArrayList<>();

        Pool(int size) {
            for (int i = 0; i < size; i++) {
                Thread worker = new Thread(this::work, "worker-" + i);
                workers.add(worker);
            }
        }

        void start() {
            workers.forEach(Thread::start);
        }

        <V> Job<V> submit(Callable<V> body) throws InterruptedException {
            Job<V> job = new Job<>(body);
            enqueue(job);
            return job;
        }

        private synchronized void enqueue(Job<?> job) throws InterruptedException {
            while (waiting.size() == CAPACITY) {
                wait();
            }
            waiting.add(job);
            notifyAll();
        }

        private synchronized Job<?> next() throws InterruptedException {
            while (waiting.isEmpty()) {
                wait();
            }
            Job<?> job = waiting.remove();
            notifyAll();
            return job;
        }

        private void work() {
            try {
                for (Job<?> job = next(); job != POISON; job = next()) {
                    job.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void shutdown() throws InterruptedException {
            for (int i = 0; i < workers.size(); i++) {
                enqueue(POISON);
            }
            for (Thread worker : workers) {
                worker.join();
            }
        }
    }

    private static volatile Exception failure;
    private static volatile boolean closing;

    private static void user(int kind, Pool pool, Stats stats, long[] submitted) {
        try {
            while (!closing) {
                List<Job<Integer>> jobs = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    int number = i;
                    jobs.add(pool.submit(() -> {
                        stats.record(kind);
                        Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                        return number * number;
                    }));
                    submitted[kind]++;
                }
                int sum = 0;
                for (Job<Integer> job : jobs) {
                    sum += job.join();
                }
                if (sum != 140) {
                    throw new IllegalStateException("sum of squares " + sum);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(30));
            }
        } catch (Exception e) {
            failure = e;
        }
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Stats stats = new Stats();
        Pool pool = new Pool(4);
        pool.start();
        long[] submitted = new long[4];
        Thread[] users = new Thread[4];
        for (int i = 0; i < users.length; i++) {
            int kind = i;
            users[i] = new Thread(() -> user(kind, pool, stats, submitted), "user-" + i);
            users[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        closing = true;
        for (Thread user : users) {
            user.join();
        }
        pool.shutdown();
        if (failure != null) {
            throw failure;
        }
        if (stats.total() != Arrays.stream(submitted).sum()) {
            throw new IllegalStateException("jobs were lost");
        }
        System.out.println("DONE " + stats.total());
    }
}
