// @lock TimerThread$TaskHeap
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put TimerThread$TaskHeap.schedule
// @role take TimerThread$TaskHeap.takeDue

import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A scheduler: services schedule tasks a few milliseconds ahead, two timer threads run them, never before their time.
 *
 * <p>The reading taken: entries that may be taken when their time has come make an unbounded producer-consumer, not a delay, since an
 * earlier task ends the wait.
 */
public final class TimerThread {
    static final class Task implements Comparable<Task> {
        final long due;
        final Runnable action;

        Task(long due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        @Override
        public int compareTo(Task o) {
            return Long.compare(due, o.due);
        }
    }

    static final class TaskHeap {
        private final PriorityQueue<Task> heap = new PriorityQueue<>();

        void schedule(Task t) {
            synchronized (this) {
                heap.add(t);
                if (heap.peek() == t) {
                    notify();
                }
            }
        }

        Task takeDue() throws InterruptedException {
            synchronized (this) {
                while (true) {
                    Task first = heap.peek();
                    if (first == null) {
                        wait();
                        continue;
                    }
                    long left = first.due - System.nanoTime();
                    if (left <= 0) {
                        heap.poll();
                        if (!heap.isEmpty()) {
                            notify();
                        }
                        return first;
                    }
                    wait(left / 1_000_000, (int) (left % 1_000_000));
                }
            }
        }
    }

    private static final TaskHeap heap = new TaskHeap();
    private static final AtomicLong scheduled = new AtomicLong();
    private static final AtomicLong run = new AtomicLong();
    private static volatile String failure;

    private static void service() throws InterruptedException {
        long due = System.nanoTime() + ThreadLocalRandom.current().nextInt(1_000_000, 9_000_000);
        scheduled.incrementAndGet();
        heap.schedule(new Task(due, run::incrementAndGet));
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
    }

    private static void timer() throws InterruptedException {
        Task t = heap.takeDue();
        if (System.nanoTime() < t.due) {
            failure = "a task ran before its time";
        }
        t.action.run();
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    step.run();
                }
            } catch (InterruptedException e) {
                failure = "interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 2; i++) {
            loop("timer-" + i, TimerThread::timer);
        }
        for (int i = 0; i < 4; i++) {
            loop("service-" + i, TimerThread::service);
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null || run.get() > scheduled.get() || run.get() == 0) {
            throw new IllegalStateException("scheduled " + scheduled + ", run " + run + ", " + failure);
        }
        System.out.println("DONE " + run);
    }
}
