// @lock Nursery$Child
// @type JOIN
// @role join Nursery.reap

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Structured concurrency by hand: a scope starts a thread for each task and does not end before all of them have. */
public final class Nursery implements AutoCloseable {
    private static final class Child<T> extends Thread {
        private final Callable<T> task;
        private T result;
        private Throwable failure;

        Child(Callable<T> task) {
            this.task = task;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                result = task.call();
            } catch (Throwable t) {
                failure = t;
            }
        }
    }

    private final List<Child<?>> children = new ArrayList<>();

    public <T> void start(Callable<T> task) {
        Child<T> child = new Child<>(task);
        children.add(child);
        child.start();
    }

    /** The VM notifies a thread object when its thread has ended. */
    private static void reap(Thread child) {
        boolean interrupted = false;
        synchronized (child) {
            while (child.isAlive()) {
                try {
                    child.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The sum of what the children that did not fail have returned. */
    public long sum() {
        long sum = 0;
        for (Child<?> child : children) {
            reap(child);
            if (child.failure == null) {
                sum += ((Number) child.result).longValue();
            }
        }
        return sum;
    }

    @Override
    public void close() {
        children.forEach(Nursery::reap);
    }

    private static final AtomicLong scopes = new AtomicLong();
    private static volatile Throwable fault;

    private static void client() {
        try {
            while (fault == null) {
                int n = ThreadLocalRandom.current().nextInt(2, 5);
                long expected = 0;
                try (Nursery nursery = new Nursery()) {
                    for (int i = 1; i <= n; i++) {
                        int part = i;
                        boolean fails = ThreadLocalRandom.current().nextInt(10) == 0;
                        expected += fails ? 0 : part;
                        nursery.start(() -> {
                            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
                            if (fails) {
                                throw new IllegalStateException("part " + part);
                            }
                            return part;
                        });
                    }
                    if (nursery.sum() != expected) {
                        throw new IllegalStateException("sum is not " + expected);
                    }
                }
                scopes.incrementAndGet();
            }
        } catch (Throwable t) {
            fault = t;
        }
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(Nursery::client, "client-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fault != null) {
            throw new Exception(fault);
        }
        System.out.println("DONE " + scopes);
    }
}
