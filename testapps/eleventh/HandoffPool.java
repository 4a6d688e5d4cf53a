// @lock HandoffPool
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire HandoffPool.checkOut
// @role release HandoffPool.checkIn
//
// @lock HandoffPool$LeakDetector
// @type DELAY
// @role delay HandoffPool$LeakDetector.rest

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A pool of three channels that hands a returned channel to whoever has waited longest, each on a request of his own; leak detectors look round. */
public final class HandoffPool {
    static final class Channel {
        final AtomicBoolean taken = new AtomicBoolean();
        volatile long takenAt;
    }

    /** One thread that waits, and what it was given. */
    private static final class Request {
        private Channel given;
    }

    private final Deque<Channel> idle = new ArrayDeque<>();
    private final Deque<Request> waiting = new ArrayDeque<>();
    private final Channel[] all = new Channel[3];

    HandoffPool() {
        for (int i = 0; i < all.length; i++) {
            all[i] = new Channel();
            idle.push(all[i]);
        }
    }

    Channel checkOut() {
        boolean interrupted = false;
        Request mine = new Request();
        synchronized (mine) {
            synchronized (this) {
                if (!idle.isEmpty()) {
                    return idle.pop();
                }
                waiting.addLast(mine);
            }
            while (mine.given == null) {
                try {
                    mine.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return mine.given;
    }

    void checkIn(Channel channel) {
        Request next;
        synchronized (this) {
            next = waiting.pollFirst();
            if (next == null) {
                idle.push(channel);
                return;
            }
        }
        synchronized (next) {
            next.given = channel;
            next.notify();
        }
    }

    static final class LeakDetector implements Runnable {
        private final HandoffPool pool;
        private final long everyMillis;

        LeakDetector(HandoffPool pool, long everyMillis) {
            this.pool = pool;
            this.everyMillis = everyMillis;
        }

        private void rest() throws InterruptedException {
            long end = System.nanoTime() + everyMillis * 1_000_000;
            synchronized (this) {
                long left = everyMillis;
                while (left > 0) {
                    wait(left);
                    left = (end - System.nanoTime()) / 1_000_000;
                }
            }
        }

        @Override
        public void run() {
            try {
                while (failure == null) {
                    rest();
                    for (Channel c : pool.all) {
                        if (c.taken.get() && System.nanoTime() - c.takenAt > 20_000_000_000L) {
                            failure = "a channel was never returned";
                        }
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final AtomicLong sent = new AtomicLong();
    private static volatile String failure;

    private static void sender(HandoffPool pool) {
        try {
            while (failure == null) {
                Channel c = pool.checkOut();
                c.takenAt = System.nanoTime();
                if (!c.taken.compareAndSet(false, true)) {
                    failure = "a channel in two hands";
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                c.taken.set(false);
                pool.checkIn(c);
                sent.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(4));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        HandoffPool pool = new HandoffPool();
        for (int i = 0; i < 8; i++) {
            start(() -> sender(pool), "sender-" + i);
        }
        start(new LeakDetector(pool, 3), "leak-detector-0");
        start(new LeakDetector(pool, 9), "leak-detector-1");
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + sent);
    }

    private static void start(Runnable body, String name) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
    }
}
