// @lock BufferArena$Arena
// @type SEMAPHORE permits=64
// @role acquire BufferArena$Arena.allocate
// @role release BufferArena$Arena.free

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The memory of a message client, 64 kB for all batches being sent: large requests are not overtaken by small ones. */
public final class BufferArena {
    private static final class Waiter {
        final int need;
        private boolean granted;

        Waiter(int need) {
            this.need = need;
        }

        synchronized void grant() {
            granted = true;
            notify();
        }

        synchronized void await() throws InterruptedException {
            while (!granted) {
                wait();
            }
        }
    }

    private static final class Arena {
        private final int total;
        private int available;
        private final Deque<Waiter> waiters = new ArrayDeque<>();

        Arena(int total) {
            this.total = total;
            available = total;
        }

        void allocate(int kilobytes) throws InterruptedException {
            if (kilobytes > total) {
                throw new IllegalArgumentException("there will never be " + kilobytes + " kB");
            }
            Waiter waiter;
            synchronized (this) {
                if (waiters.isEmpty() && available >= kilobytes) {
                    available -= kilobytes;
                    return;
                }
                waiter = new Waiter(kilobytes);
                waiters.addLast(waiter);
            }
            waiter.await();
        }

        synchronized void free(int kilobytes) {
            available += kilobytes;
            Waiter first;
            while ((first = waiters.peekFirst()) != null && first.need <= available) {
                available -= first.need;
                waiters.removeFirst().grant();
            }
        }
    }

    private static final AtomicInteger inUse = new AtomicInteger();
    private static final AtomicLong batches = new AtomicLong();
    private static volatile Throwable fault;

    private static void sender(Arena arena, int size) {
        try {
            while (fault == null) {
                int kilobytes = ThreadLocalRandom.current().nextInt(1, size + 1);
                arena.allocate(kilobytes);
                if (inUse.addAndGet(kilobytes) > 64) {
                    throw new IllegalStateException("more than 64 kB in use");
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                inUse.addAndGet(-kilobytes);
                arena.free(kilobytes);
                batches.incrementAndGet();
                Thread.sleep(1);
            }
        } catch (Throwable t) {
            fault = t;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Arena arena = new Arena(64);
        int[] sizes = {16, 16, 16, 32, 32, 48, 64};
        for (int size : sizes) {
            Thread t = new Thread(() -> sender(arena, size), "sender-" + size);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fault != null) {
            throw new IllegalStateException(fault);
        }
        System.out.println("DONE " + batches);
    }
}
