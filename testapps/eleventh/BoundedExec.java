// @lock BoundedExec$Gate
// @type SEMAPHORE permits=3
// @role acquire BoundedExec$Gate.enter
// @role release BoundedExec$Gate.close
//
// @lock BoundedExec$TaskThread
// @type JOIN
// @role join java.lang.Thread.join

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

/** A thread per task, but only three at work at any time, through a gate that is closed by try-with-resources; requests join their tasks. */
public final class BoundedExec {
    /** Three may be inside; whoever enters closes what he got. */
    static final class Gate implements AutoCloseable {
        private static final int ALL = 0b111;
        private int busy;

        Gate enter() throws InterruptedException {
            synchronized (this) {
                while (busy == ALL) {
                    wait();
                }
                busy = busy << 1 | 1;
                return this;
            }
        }

        @Override
        public void close() {
            synchronized (this) {
                busy >>>= 1;
                notify();
            }
        }
    }

    static final class TaskThread extends Thread {
        private final Gate gate;
        private final IntUnaryOperator work;
        private final int input;
        int output;

        TaskThread(Gate gate, IntUnaryOperator work, int input) {
            super("task");
            setDaemon(true);
            this.gate = gate;
            this.work = work;
            this.input = input;
        }

        @Override
        public void run() {
            try (Gate inside = gate.enter()) {
                if (atWork.incrementAndGet() > 3 || inside != gate) {
                    failed = true;
                }
                sleep(ThreadLocalRandom.current().nextInt(1, 4));
                output = work.applyAsInt(input);
                atWork.decrementAndGet();
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    private static final AtomicInteger atWork = new AtomicInteger();
    private static final AtomicLong requests = new AtomicLong();
    private static volatile boolean failed;

    private static void handle(Gate gate) {
        try {
            while (!failed) {
                int n = ThreadLocalRandom.current().nextInt(2, 5);
                List<TaskThread> tasks = new ArrayList<>();
                for (int i = 0; i < n; i++) {
                    TaskThread t = new TaskThread(gate, x -> x * x, i);
                    t.start();
                    tasks.add(t);
                }
                int sum = 0;
                for (TaskThread t : tasks) {
                    t.join();
                    sum += t.output;
                }
                if (sum != (n - 1) * n * (2 * n - 1) / 6) {
                    failed = true;
                }
                requests.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Gate gate = new Gate();
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(() -> handle(gate), "handler-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("a crowd behind the gate, or a task not waited for");
        }
        System.out.println("DONE " + requests);
    }
}
