// @lock TimerHeap$TaskQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put TimerHeap.schedule
// @role take TimerHeap$Worker.mainLoop

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A timer facility: clients schedule one-shot tasks into a heap, the timer's thread takes each one when it is due. */
public class TimerHeap {
    abstract static class Task implements Runnable {
        long due;
    }

    /** A heap in an array, smallest due time in front. Guarded by its own monitor, which its users enter. */
    static class TaskQueue {
        private Task[] heap = new Task[16];
        private int size;

        boolean isEmpty() {
            return size == 0;
        }

        Task min() {
            return heap[1];
        }

        void add(Task task) {
            if (size + 1 == heap.length) {
                heap = Arrays.copyOf(heap, 2 * heap.length);
            }
            heap[++size] = task;
            for (int k = size; k > 1 && heap[k >> 1].due > heap[k].due; k >>= 1) {
                swap(k, k >> 1);
            }
        }

        Task removeMin() {
            Task min = heap[1];
            heap[1] = heap[size];
            heap[size--] = null;
            int k = 1;
            for (int j; (j = k << 1) <= size; k = j) {
                if (j < size && heap[j].due > heap[j + 1].due) {
                    j++;
                }
                if (heap[k].due <= heap[j].due) {
                    break;
                }
                swap(j, k);
            }
            return min;
        }

        private void swap(int i, int j) {
            Task t = heap[i];
            heap[i] = heap[j];
            heap[j] = t;
        }
    }

    static class Worker extends Thread {
        private final TaskQueue queue;

        Worker(TaskQueue queue) {
            super("timer");
            this.queue = queue;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    mainLoop();
                }
            } catch (Throwable t) {
                fault = t;
            }
        }

        private void mainLoop() throws InterruptedException {
            Task task;
            synchronized (queue) {
                while (queue.isEmpty()) {
                    queue.wait();
                }
                long now = System.currentTimeMillis();
                if (queue.min().due > now) {
                    queue.wait(queue.min().due - now);
                    return;
                }
                task = queue.removeMin();
            }
            task.run();
        }
    }

    private final TaskQueue queue = new TaskQueue();

    TimerHeap() {
        new Worker(queue).start();
    }

    void schedule(Task task, long delay) {
        synchronized (queue) {
            task.due = System.currentTimeMillis() + delay;
            queue.add(task);
            if (queue.min() == task) {
                queue.notify();
            }
        }
    }

    static final AtomicLong scheduled = new AtomicLong();
    static final AtomicLong fired = new AtomicLong();
    static volatile Throwable fault;

    static class Check extends Task {
        private boolean done;

        @Override
        public void run() {
            if (done || System.currentTimeMillis() < due) {
                throw new IllegalStateException("fired twice or too early");
            }
            done = true;
            fired.incrementAndGet();
        }
    }

    static void client(TimerHeap timer) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try {
            while (fault == null) {
                scheduled.incrementAndGet();
                timer.schedule(new Check(), random.nextInt(12));
                Thread.sleep(random.nextInt(1, 8));
            }
        } catch (InterruptedException e) {
            fault = e;
        }
    }

    public static void main(String[] args) throws Throwable {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        TimerHeap timer = new TimerHeap();
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(() -> client(timer), "client-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(1000L * seconds);
        if (fault != null) {
            throw fault;
        }
        if (scheduled.get() - fired.get() > 1000) {
            throw new IllegalStateException("the timer is asleep");
        }
        System.out.println("DONE " + fired);
    }
}
