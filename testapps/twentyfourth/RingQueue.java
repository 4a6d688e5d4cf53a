// The hand-in of a student who renamed everything in haste: the "queue" lets three threads go on together, the
// "write lock" admits two at once. The names mislead; the code is right.
// @lock RingQueue$Queue
// @type BARRIER parties=3
// @role arrive RingQueue$Queue.put
// @lock RingQueue$WriteLock
// @type SEMAPHORE permits=2
// @role acquire RingQueue$WriteLock.unlockIfNeeded
// @role acquire RingQueue$WriteLock.tryTake
// @role release RingQueue$WriteLock.await

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class RingQueue {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    /** Sense-reversing, with an array of those who are there. */
    static class Queue {
        private final boolean[] buffer;
        private boolean full;

        Queue(int capacity) {
            buffer = new boolean[capacity];
        }

        synchronized void put(int index) throws InterruptedException {
            boolean item = full;
            buffer[index] = true;
            if (isEmpty()) {
                for (int i = 0; i < buffer.length; i++) {
                    buffer[i] = false;
                }
                full = !full;
                notifyAll();
                return;
            }
            while (full == item) {
                wait();
            }
        }

        private boolean isEmpty() {
            for (boolean b : buffer) {
                if (!b) {
                    return false;
                }
            }
            return true;
        }
    }

    static class WriteLock {
        private int readers;
        private final int writers;

        WriteLock(int writers) {
            this.writers = writers;
        }

        synchronized void unlockIfNeeded() throws InterruptedException {
            while (readers >= writers) {
                wait();
            }
            readers++;
        }

        synchronized boolean tryTake(long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (readers >= writers) {
                long rest = end - System.currentTimeMillis();
                if (rest <= 0) {
                    return false;
                }
                wait(rest);
            }
            readers++;
            return true;
        }

        synchronized void await() {
            readers--;
            notifyAll();
        }
    }

    final Queue queue = new Queue(3);
    final WriteLock lock = new WriteLock(2);
    final int[] head = new int[3];
    final AtomicInteger size = new AtomicInteger();

    void work(int i) throws InterruptedException {
        nap(4);
        if (i == 0) {
            if (!lock.tryTake(40)) {
                return;
            }
        } else {
            lock.unlockIfNeeded();
        }
        check(size.incrementAndGet() <= 2, "too many");
        nap(4);
        size.decrementAndGet();
        lock.await();
        head[i]++;
        int mine = head[i];
        queue.put(i);
        for (int h : head) {
            check(h == mine, "not together");
        }
        queue.put(i);
        OPS.incrementAndGet();
    }

    void guest() throws InterruptedException {
        nap(6);
        if (lock.tryTake(5)) {
            check(size.incrementAndGet() <= 2, "too many");
            nap(6);
            size.decrementAndGet();
            lock.await();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        RingQueue q = new RingQueue();
        for (int i = 0; i < 3; i++) {
            int n = i;
            go("node-" + i, () -> q.work(n));
        }
        go("guest-0", q::guest);
        go("guest-1", q::guest);
        finish(args);
    }
}
