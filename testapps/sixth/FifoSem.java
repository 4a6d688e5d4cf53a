// @lock FifoSem
// @type SEMAPHORE permits=3
// @role acquire FifoSem.acquire
// @role acquire FifoSem.attempt
// @role release FifoSem.release

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A first-in-first-out semaphore in the manner of the pre-Java-5 library: waiters queue up and sleep on a node each. */
public class FifoSem {
    static final class WaitNode {
        private boolean waiting = true;
        private WaitNode next;

        synchronized boolean signal() {
            boolean signalled = waiting;
            if (signalled) {
                waiting = false;
                notify();
            }
            return signalled;
        }

        synchronized boolean doTimedWait(long msecs) throws InterruptedException {
            if (!waiting) {
                return true;
            }
            if (msecs <= 0) {
                waiting = false;
                return false;
            }
            long waitTime = msecs;
            long start = System.currentTimeMillis();
            try {
                for (;;) {
                    wait(waitTime);
                    if (!waiting) {
                        return true;
                    }
                    waitTime = msecs - (System.currentTimeMillis() - start);
                    if (waitTime <= 0) {
                        waiting = false;
                        return false;
                    }
                }
            } catch (InterruptedException ex) {
                if (waiting) {
                    waiting = false; // nobody will signal us any more
                    throw ex;
                }
                Thread.currentThread().interrupt();
                return true;
            }
        }

        synchronized void doWait() throws InterruptedException {
            try {
                while (waiting) {
                    wait();
                }
            } catch (InterruptedException ex) {
                if (waiting) {
                    waiting = false;
                    throw ex;
                }
                Thread.currentThread().interrupt();
            }
        }
    }

    private long permits;
    private WaitNode head;
    private WaitNode tail;

    FifoSem(long permits) {
        this.permits = permits;
    }

    private WaitNode enqueue() {
        WaitNode w = new WaitNode();
        if (tail == null) {
            head = w;
        } else {
            tail.next = w;
        }
        tail = w;
        return w;
    }

    private WaitNode dequeue() {
        WaitNode w = head;
        head = w.next;
        if (head == null) {
            tail = null;
        }
        w.next = null;
        return w;
    }

    void acquire() throws InterruptedException {
        WaitNode node;
        synchronized (this) {
            if (permits > 0) {
                --permits;
                return;
            }
            node = enqueue();
        }
        node.doWait();
    }

    boolean attempt(long msecs) throws InterruptedException {
        WaitNode node;
        synchronized (this) {
            if (permits > 0) {
                --permits;
                return true;
            }
            node = enqueue();
        }
        return node.doTimedWait(msecs);
    }

    void release() {
        for (;;) {
            WaitNode node;
            synchronized (this) {
                if (head == null) {
                    ++permits;
                    return;
                }
                node = dequeue();
            }
            if (node.signal()) {
                return; // the permit has changed hands
            }
        }
    }

    static final AtomicInteger inside = new AtomicInteger();
    static final AtomicLong uses = new AtomicLong();
    static final AtomicLong refused = new AtomicLong();
    static volatile boolean overrun;

    static void customer(FifoSem ovens, boolean patient) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!overrun) {
            try {
                if (patient) {
                    ovens.acquire();
                } else if (!ovens.attempt(8)) {
                    refused.incrementAndGet();
                    continue;
                }
                if (inside.incrementAndGet() > 3) {
                    overrun = true;
                }
                try {
                    Thread.sleep(random.nextInt(1, 5));
                } finally {
                    inside.decrementAndGet();
                    ovens.release();
                }
                uses.incrementAndGet();
                Thread.sleep(random.nextInt(1, 4));
            } catch (InterruptedException e) {
                refused.incrementAndGet();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        FifoSem ovens = new FifoSem(3);
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            boolean patient = i % 4 != 3;
            threads[i] = new Thread(() -> customer(ovens, patient), "baker-" + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("READY");
        for (long end = System.currentTimeMillis() + 1000 * seconds; System.currentTimeMillis() < end; ) {
            Thread.sleep(40);
            threads[ThreadLocalRandom.current().nextInt(threads.length)].interrupt();
        }
        long before = uses.get();
        Thread.sleep(500);
        if (overrun || uses.get() == before) {
            throw new IllegalStateException("too many inside, or a permit was lost");
        }
        System.out.println("DONE " + uses);
    }
}
