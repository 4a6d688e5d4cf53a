// @lock ReturnsGate$Latch
// @type SEMAPHORE permits=3
// @role acquire ReturnsGate$Latch.await
// @role release ReturnsGate$Latch.countDown

// @lock ReturnsGate$JobQueue
// @type LOCK reentrant=false
// @role lock ReturnsGate$JobQueue.put
// @role unlock ReturnsGate$JobQueue.take

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Returned goods: three inspection tables and one labelling machine. The classes were once something else (a latch for the start of the
 * shift, a queue in front of the machine) and were rewritten several times by people who did not dare to rename them.
 */
public class ReturnsGate {
    /** How many more may sit down at a table. */
    static class Latch {
        private long count;
        private int sitting;

        Latch(int count) {
            this.count = count;
        }

        void await() throws InterruptedException {
            boolean interrupted = false;
            synchronized (this) {
                while (count <= 0) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                        break;
                    }
                }
                if (!interrupted) {
                    count--;
                    sitting++;
                    return;
                }
            }
            throw new InterruptedException("while waiting for a table");
        }

        void countDown() {
            synchronized (this) {
                if (sitting == 0) {
                    throw new IllegalStateException("nobody sits at a table");
                }
                sitting--;
                count++;
                notify();
            }
        }
    }

    /** The labelling machine belongs to whoever has put his name on it. */
    static class JobQueue {
        private Thread name;

        synchronized void put(Thread t) throws InterruptedException {
            if (name == t) {
                throw new IllegalStateException(t.getName() + " has put already");
            }
            while (name != null) {
                wait();
            }
            name = t;
        }

        synchronized void take(Thread t) {
            if (name != t) {
                throw new IllegalStateException("the machine is not " + t.getName() + "'s");
            }
            name = null;
            notifyAll();
        }
    }

    private final Latch tables = new Latch(3);
    private final JobQueue labels = new JobQueue();
    private final AtomicInteger inspecting = new AtomicInteger();
    private int labelOn;
    private final AtomicLong inspected = new AtomicLong();
    private volatile Throwable failure;

    private void inspect(int item) throws InterruptedException {
        tables.await();
        try {
            if (inspecting.incrementAndGet() > 3) {
                throw new IllegalStateException("four people at three tables");
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
            inspecting.decrementAndGet();
        } finally {
            tables.countDown();
        }
        Thread me = Thread.currentThread();
        labels.put(me);
        try {
            labelOn = item;
            Thread.sleep(1);
            if (labelOn != item) {
                throw new IllegalStateException("label of another item");
            }
        } finally {
            labels.take(me);
        }
        inspected.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ReturnsGate gate = new ReturnsGate();
        for (int i = 0; i < 7; i++) {
            int first = i * 100000;
            Thread t = new Thread(() -> {
                try {
                    for (int item = first; gate.failure == null; item++) {
                        gate.inspect(item);
                    }
                } catch (InterruptedException | RuntimeException e) {
                    gate.failure = e;
                    e.printStackTrace();
                }
            }, "inspector-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (gate.failure != null) {
            throw new IllegalStateException(gate.failure);
        }
        System.out.println("DONE " + gate.inspected);
    }
}
