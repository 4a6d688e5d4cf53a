// @lock AlarmClock$TaskHeap
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put AlarmClock.schedule
// @role take AlarmClock$Ringer.mainLoop

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A timer thread with its own binary heap of tasks; the heap object is the monitor of both sides. */
public class AlarmClock {
    static final class Task {
        final long when;
        final Runnable action;

        Task(long when, Runnable action) {
            this.when = when;
            this.action = action;
        }
    }

    static final class TaskHeap {
        private Task[] heap = new Task[8];
        private int size;

        void add(Task t) {
            if (size + 1 == heap.length) {
                heap = Arrays.copyOf(heap, heap.length * 2);
            }
            int k = ++size;
            for (; k > 1 && heap[k / 2].when > t.when; k /= 2) {
                heap[k] = heap[k / 2];
            }
            heap[k] = t;
        }

        Task min() {
            return heap[1];
        }

        void removeMin() {
            Task last = heap[size];
            heap[size--] = null;
            int k = 1;
            while (2 * k <= size) {
                int c = 2 * k;
                if (c < size && heap[c + 1].when < heap[c].when) {
                    c++;
                }
                if (heap[c].when >= last.when) {
                    break;
                }
                heap[k] = heap[c];
                k = c;
            }
            if (size > 0) {
                heap[k] = last;
            }
        }

        boolean isEmpty() {
            return size == 0;
        }
    }

    private final TaskHeap queue = new TaskHeap();

    void schedule(Runnable action, long delay) {
        Task t = new Task(System.currentTimeMillis() + delay, action);
        synchronized (queue) {
            queue.add(t);
            if (queue.min() == t) {
                queue.notify();
            }
        }
    }

    static final class Ringer extends Thread {
        private final TaskHeap queue;

        Ringer(TaskHeap queue) {
            super("ringer");
            this.queue = queue;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                mainLoop();
            } catch (InterruptedException e) {
                broken = "ringer interrupted";
            }
        }

        private void mainLoop() throws InterruptedException {
            while (true) {
                Task task;
                boolean due;
                synchronized (queue) {
                    while (queue.isEmpty()) {
                        queue.wait();
                    }
                    task = queue.min();
                    long now = System.currentTimeMillis();
                    due = task.when <= now;
                    if (due) {
                        queue.removeMin();
                    } else {
                        queue.wait(task.when - now);
                    }
                }
                if (due) {
                    task.action.run();
                }
            }
        }
    }

    static volatile String broken;

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        AlarmClock clock = new AlarmClock();
        new Ringer(clock.queue).start();
        AtomicLong rung = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            Thread sleeper = new Thread(() -> {
                try {
                    while (true) {
                        ThreadLocalRandom rnd = ThreadLocalRandom.current();
                        for (int k = rnd.nextInt(4); k >= 0; k--) {
                            long delay = rnd.nextInt(12);
                            long due = System.currentTimeMillis() + delay;
                            clock.schedule(() -> {
                                if (System.currentTimeMillis() < due) {
                                    broken = "rang too early";
                                }
                                rung.incrementAndGet();
                            }, delay);
                        }
                        Thread.sleep(20 + rnd.nextInt(30));
                    }
                } catch (InterruptedException e) {
                    broken = "sleeper interrupted";
                }
            }, "sleeper-" + i);
            sleeper.setDaemon(true);
            sleeper.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken != null || rung.get() == 0) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + rung);
    }
}
