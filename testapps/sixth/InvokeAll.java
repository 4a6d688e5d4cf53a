// @lock InvokeAll$Executor
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put InvokeAll$Executor.execute
// @role take InvokeAll$Executor.nextTask
// @lock InvokeAll$Countdown
// @type LATCH
// @role await InvokeAll$Countdown.await
// @role count-down InvokeAll$Countdown.countDown

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A small executor with invokeAll: an endless queue of tasks for four workers, and a count-down for each call. */
public final class InvokeAll {
    static final class Countdown {
        private int open;

        Countdown(int open) {
            this.open = open;
        }

        synchronized void countDown() {
            if (--open == 0) {
                notifyAll();
            }
        }

        synchronized void await() throws InterruptedException {
            while (open > 0) {
                wait();
            }
        }
    }

    static final class Executor {
        private final List<Runnable> tasks = new ArrayList<>();
        private boolean stopped;

        Executor(int workers) {
            for (int i = 0; i < workers; i++) {
                Thread t = new Thread(this::work, "worker-" + i);
                t.setDaemon(true);
                t.start();
            }
        }

        void execute(Runnable task) {
            synchronized (this) {
                if (stopped) {
                    throw new IllegalStateException("stopped");
                }
                tasks.add(task);
                notify();
            }
        }

        private Runnable nextTask() throws InterruptedException {
            synchronized (this) {
                while (tasks.isEmpty()) {
                    if (stopped) {
                        return null;
                    }
                    wait();
                }
                return tasks.remove(0);
            }
        }

        synchronized void stop() {
            stopped = true;
            notifyAll();
        }

        private void work() {
            try {
                for (Runnable task; (task = nextTask()) != null; ) {
                    task.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        <T> List<T> invokeAll(List<? extends Callable<? extends T>> calls) throws InterruptedException {
            List<T> results = new ArrayList<>();
            Countdown countdown = new Countdown(calls.size());
            for (int i = 0; i < calls.size(); i++) {
                results.add(null);
                int index = i;
                execute(() -> {
                    try {
                        T result = calls.get(index).call();
                        synchronized (results) {
                            results.set(index, result);
                        }
                    } catch (Exception e) {
                        failed.incrementAndGet();
                    } finally {
                        countdown.countDown();
                    }
                });
            }
            countdown.await();
            synchronized (results) {
                return new ArrayList<>(results);
            }
        }
    }

    private static final AtomicLong failed = new AtomicLong();
    private static final AtomicLong calls = new AtomicLong();
    private static volatile Throwable fault;

    private static int slowSquare(int n) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        return n * n;
    }

    private static void client(Executor executor) {
        try {
            while (fault == null) {
                int n = ThreadLocalRandom.current().nextInt(2, 6);
                List<Callable<Integer>> tasks = new ArrayList<>();
                for (int i = 0; i < n; i++) {
                    int number = i;
                    tasks.add(() -> slowSquare(number));
                }
                List<Integer> squares = executor.invokeAll(tasks);
                for (int i = 0; i < n; i++) {
                    if (squares.get(i) == null || squares.get(i) != i * i) {
                        throw new IllegalStateException(squares.toString());
                    }
                }
                calls.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 8));
            }
        } catch (Throwable t) {
            fault = t;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Executor executor = new Executor(4);
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(() -> client(executor), "client-" + i);
            t.setDaemon(true);
            t.start();
            clients.add(t);
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fault != null || failed.get() > 0) {
            throw new IllegalStateException("a task failed", fault);
        }
        fault = new InterruptedException("end of the run");
        for (Thread t : clients) {
            t.join(10_000);
        }
        executor.stop();
        System.out.println("DONE " + calls);
    }
}
