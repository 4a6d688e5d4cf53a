// @lock WakeTimer$TaskQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put WakeTimer.schedule
// @role take WakeTimer$TimerLoop.nextDue

import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A scheduler: any thread adds tasks for later, one timer thread takes each when its time has come. */
public final class WakeTimer {
    abstract static class TimedTask implements Runnable, Comparable<TimedTask> {
        long due;

        @Override
        public int compareTo(TimedTask o) {
            return Long.compare(due, o.due);
        }
    }

    static final class TaskQueue {
        final PriorityQueue<TimedTask> tasks = new PriorityQueue<>();
        boolean cancelled;
    }

    final class TimerLoop extends Thread {
        TimerLoop() {
            super("timer");
            setDaemon(true);
        }

        private TimedTask nextDue() throws InterruptedException {
            synchronized (queue) {
                while (true) {
                    TimedTask first = queue.tasks.peek();
                    if (first == null) {
                        if (queue.cancelled) {
                            return null;
                        }
                        queue.wait();
                        continue;
                    }
                    long now = System.currentTimeMillis();
                    if (first.due <= now) {
                        return queue.tasks.poll();
                    }
                    queue.wait(first.due - now);
                }
            }
        }

        @Override
        public void run() {
            try {
                TimedTask task;
                while ((task = nextDue()) != null) {
                    task.run();
                }
            } catch (InterruptedException e) {
                System.err.println("timer interrupted");
            }
        }
    }

    private final TaskQueue queue = new TaskQueue();
    private final TimerLoop loop = new TimerLoop();

    void schedule(TimedTask task, long delay) {
        task.due = System.currentTimeMillis() + delay;
        synchronized (queue) {
            queue.tasks.add(task);
            if (queue.tasks.peek() == task) {
                queue.notify();
            }
        }
    }

    void cancel() {
        synchronized (queue) {
            queue.cancelled = true;
            queue.notify();
        }
    }

    private static volatile boolean stop;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        WakeTimer timer = new WakeTimer();
        AtomicLong scheduled = new AtomicLong();
        AtomicLong fired = new AtomicLong();
        AtomicLong early = new AtomicLong();
        timer.loop.start();
        Thread[] clients = new Thread[3];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = new Thread(() -> {
                while (!stop) {
                    int delay = ThreadLocalRandom.current().nextInt(0, 20);
                    scheduled.incrementAndGet();
                    timer.schedule(new TimedTask() {
                        @Override
                        public void run() {
                            if (System.currentTimeMillis() < due) {
                                early.incrementAndGet();
                            }
                            fired.incrementAndGet();
                        }
                    }, delay);
                    try {
                        Thread.sleep(ThreadLocalRandom.current().nextInt(8, 25));
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }, "client-" + i);
            clients[i].setDaemon(true);
            clients[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread c : clients) {
            c.join(5_000);
        }
        timer.cancel();
        timer.loop.join(5_000);
        if (early.get() != 0 || fired.get() != scheduled.get()) {
            throw new IllegalStateException(scheduled + " scheduled, " + fired + " fired, " + early + " early");
        }
        System.out.println("DONE " + fired);
    }
}
