// @lock OwnerLock
// @type LOCK reentrant=true
// @role lock OwnerLock.acquire
// @role lock OwnerLock.tryAcquire
// @role unlock OwnerLock.release

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A re-entrant lock from a concurrency library of before Java 5, here guarding a tree of counters that calls itself. */
public class OwnerLock {
    private Thread owner;
    private long holds;

    public void acquire() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Thread caller = Thread.currentThread();
        synchronized (this) {
            if (caller == owner) {
                ++holds;
            } else {
                try {
                    while (owner != null) {
                        wait();
                    }
                    owner = caller;
                    holds = 1;
                } catch (InterruptedException e) {
                    notify();
                    throw e;
                }
            }
        }
    }

    public boolean tryAcquire(long msecs) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Thread caller = Thread.currentThread();
        synchronized (this) {
            if (caller == owner) {
                ++holds;
                return true;
            }
            if (owner == null) {
                owner = caller;
                holds = 1;
                return true;
            }
            long waitTime = msecs;
            long start = System.currentTimeMillis();
            try {
                while (waitTime > 0) {
                    wait(waitTime);
                    if (owner == null) {
                        owner = caller;
                        holds = 1;
                        return true;
                    }
                    waitTime = msecs - (System.currentTimeMillis() - start);
                }
                return false;
            } catch (InterruptedException e) {
                notify();
                throw e;
            }
        }
    }

    public synchronized void release() {
        if (Thread.currentThread() != owner) {
            throw new Error("illegal lock usage");
        }
        if (--holds == 0) {
            owner = null;
            notify();
        }
    }

    static class Node {
        final Node[] children;
        long value;

        Node(int depth) {
            children = new Node[depth == 0 ? 0 : 2];
            for (int i = 0; i < children.length; i++) {
                children[i] = new Node(depth - 1);
            }
        }
    }

    private final Node root = new Node(3);
    private long added;
    private static final AtomicLong operations = new AtomicLong();
    private static volatile Throwable fault;

    private long sum(Node node) throws InterruptedException {
        acquire();
        try {
            long sum = node.value;
            for (Node child : node.children) {
                sum += sum(child);
            }
            return sum;
        } finally {
            release();
        }
    }

    private void add(Node node) throws InterruptedException {
        acquire();
        try {
            if (node.children.length == 0) {
                node.value++;
                Thread.sleep(1);
                added++;
            } else {
                add(node.children[ThreadLocalRandom.current().nextInt(2)]);
            }
        } finally {
            release();
        }
    }

    private void worker(int number) {
        while (fault == null) {
            try {
                if (number > 0) {
                    add(root);
                } else if (tryAcquire(15)) {
                    try {
                        if (sum(root) != added) {
                            throw new IllegalStateException("sum is not " + added);
                        }
                    } finally {
                        release();
                    }
                }
                operations.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            } catch (InterruptedException e) {
                operations.incrementAndGet(); // given up; the next one
            } catch (Throwable t) {
                fault = t;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        OwnerLock tree = new OwnerLock();
        Thread[] threads = new Thread[6];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> tree.worker(number));
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("READY");
        long start = System.nanoTime();
        while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(seconds)) {
            Thread.sleep(100);
            threads[0].interrupt(); // the impatient auditor
        }
        if (fault != null) {
            throw new IllegalStateException(fault);
        }
        System.out.println("DONE " + operations);
    }
}
