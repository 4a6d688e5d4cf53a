// @lock Zircon$Hub
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Zircon$Hub.submit
// @role take Zircon$Hub.next

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A worker pool: a task goes straight to the worker that became idle last, on whose own seat it waits; without idle workers tasks pile up. */
public final class Zircon {
    static final class Seat {
        private Runnable task;

        synchronized void hand(Runnable given) {
            task = given;
            notify();
        }

        synchronized Runnable await() throws InterruptedException {
            while (task == null) {
                wait();
            }
            Runnable taken = task;
            task = null;
            return taken;
        }
    }

    static final class Hub {
        private final Deque<Seat> idle = new ArrayDeque<>();
        private final Deque<Runnable> backlog = new ArrayDeque<>();

        void submit(Runnable task) {
            Seat seat;
            synchronized (this) {
                seat = idle.poll();
                if (seat == null) {
                    backlog.add(task);
                    return;
                }
            }
            seat.hand(task);
        }

        Runnable next(Seat seat) throws InterruptedException {
            synchronized (this) {
                Runnable task = backlog.poll();
                if (task != null) {
                    return task;
                }
                idle.push(seat);
            }
            return seat.await();
        }
    }

    private static final AtomicLong submitted = new AtomicLong();
    private static final AtomicLong done = new AtomicLong();
    private static volatile String failure;
    private static volatile boolean over;

    private static void work(Hub hub) {
        Seat seat = new Seat();
        try {
            while (failure == null) {
                hub.next(seat).run();
            }
        } catch (InterruptedException e) {
            failure = "a worker was interrupted";
        }
    }

    private static void task() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(4));
            done.incrementAndGet();
        } catch (InterruptedException e) {
            failure = "a task was interrupted";
        }
    }

    private static void client(Hub hub) {
        try {
            while (!over) {
                for (int i = ThreadLocalRandom.current().nextInt(1, 6); i > 0; i--) {
                    submitted.incrementAndGet();
                    hub.submit(Zircon::task);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
            }
        } catch (InterruptedException e) {
            failure = "a client was interrupted";
        }
    }

    private static void start(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Hub hub = new Hub();
        for (int i = 0; i < 6; i++) {
            start("worker-" + i, () -> work(hub));
        }
        for (int i = 0; i < 4; i++) {
            start("client-" + i, () -> client(hub));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        over = true;
        for (int i = 0; i < 500 && (i < 5 || done.get() != submitted.get()); i++) {
            Thread.sleep(10);
        }
        if (failure == null && done.get() != submitted.get()) {
            failure = "a task was lost";
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + done);
    }
}
