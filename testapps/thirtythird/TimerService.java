// @lock TimerService$DueQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put TimerService$DueQueue.schedule
// @role take TimerService$DueQueue.takeDue

// @lock TimerService$Heartbeat
// @type DELAY
// @role delay TimerService$Heartbeat.run

// @lock java.lang.Thread
// @type JOIN
// @role join TimerService.awaitEnd

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Timers in a heap, taken when they are due; heartbeats; and short jobs on a thread each, whose end is awaited by hand. */
public final class TimerService {

    static final class Due {
        final long at;
        final Runnable what;

        Due(long at, Runnable what) {
            this.at = at;
            this.what = what;
        }
    }

    static final class DueQueue {
        private final PriorityQueue<Due> heap = new PriorityQueue<>(Comparator.comparingLong((Due d) -> d.at));

        synchronized void schedule(long delayMillis, Runnable what) {
            heap.add(new Due(System.nanoTime() + delayMillis * 1_000_000L, what));
            notifyAll();
        }

        synchronized Due takeDue() throws InterruptedException {
            for (;;) {
                Due first = heap.peek();
                if (first == null) {
                    wait();
                    continue;
                }
                long left = first.at - System.nanoTime();
                if (left <= 0) {
                    return heap.poll();
                }
                wait(left / 1_000_000L + 1);
            }
        }
    }

    static final class Heartbeat implements Runnable {
        private final long period;
        private volatile boolean stopped;
        private int beats;

        Heartbeat(long period) {
            this.period = period;
        }

        @Override
        public void run() {
            synchronized (this) {
                while (!stopped) {
                    try {
                        wait(period);
                    } catch (InterruptedException e) {
                        return;
                    }
                    beats++;
                }
            }
        }
    }

    /** What Thread.join did before anybody looked. */
    static void awaitEnd(Thread t) throws InterruptedException {
        synchronized (t) {
            while (t.isAlive()) {
                t.wait();
            }
        }
    }

    private static volatile String error;
    private static final AtomicInteger fired = new AtomicInteger();

    private static Thread spawn(String name, Runnable r, boolean daemon) {
        Thread t = new Thread(r, name);
        t.setDaemon(daemon);
        t.start();
        return t;
    }

    private static void nap(int least, int most) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(least, most));
        } catch (InterruptedException e) {
            error = e.toString();
        }
    }

    public static void main(String[] args) throws Exception {
        DueQueue queue = new DueQueue();
        for (int i = 0; i < 3; i++) {
            spawn("client-" + i, () -> {
                while (error == null) {
                    long delay = ThreadLocalRandom.current().nextInt(1, 15);
                    long at = System.nanoTime() + delay * 1_000_000L;
                    queue.schedule(delay, () -> {
                        if (System.nanoTime() < at) {
                            error = "fired early";
                        }
                        fired.incrementAndGet();
                    });
                    nap(2, 12);
                }
            }, true);
        }
        for (int i = 0; i < 2; i++) {
            spawn("timer-" + i, () -> {
                try {
                    while (true) {
                        queue.takeDue().what.run();
                    }
                } catch (InterruptedException e) {
                    error = e.toString();
                }
            }, true);
            spawn("heartbeat-" + i, new Heartbeat(4 + 3 * i), true);
        }
        for (int i = 0; i < 2; i++) {
            spawn("batch-" + i, () -> {
                try {
                    while (true) {
                        Thread[] jobs = new Thread[3];
                        AtomicInteger ended = new AtomicInteger();
                        for (int k = 0; k < jobs.length; k++) {
                            jobs[k] = spawn("job", () -> {
                                nap(2, 10);
                                ended.incrementAndGet();
                            }, true);
                        }
                        for (Thread job : jobs) {
                            awaitEnd(job);
                        }
                        if (ended.get() != 3) {
                            error = "not at its end";
                        }
                    }
                } catch (InterruptedException e) {
                    error = e.toString();
                }
            }, true);
        }
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        if (error != null) {
            System.out.println(error);
            System.exit(1);
        }
        System.out.println("DONE " + fired);
    }
}
