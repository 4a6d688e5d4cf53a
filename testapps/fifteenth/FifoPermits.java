// A mirror site hands out three upload permits strictly first come, first served. Composite: who has to wait does so on a node of its own.
//
// @lock FifoPermits$FifoSemaphore
// @type SEMAPHORE permits=3
// @role acquire FifoPermits$FifoSemaphore.acquire
// @role acquire FifoPermits$FifoSemaphore.attempt
// @role release FifoPermits$FifoSemaphore.release
//
// @lock FifoPermits$TransferLog
// @type MUTEX
// @role enter FifoPermits$TransferLog.record
// @role enter FifoPermits$TransferLog.roll
import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicInteger;

public class FifoPermits {

    /** What everything that can be held looks like from outside. */
    interface Sync {
        void acquire() throws InterruptedException;
        boolean attempt(long msecs) throws InterruptedException;
        void release();
    }

    static final class WaitNode {
        private boolean waiting_ = true;

        /** @return false if the waiter has left in the meantime */
        synchronized boolean doNotify() {
            boolean w = waiting_;
            if (w) {
                waiting_ = false;
                notify();
            }
            return w;
        }

        synchronized void doWait() throws InterruptedException {
            try {
                while (waiting_) wait();
            } catch (InterruptedException e) {
                if (waiting_) {
                    waiting_ = false;
                    throw e;
                }
                Thread.currentThread().interrupt();
            }
        }

        synchronized boolean doTimedWait(long msecs) throws InterruptedException {
            if (!waiting_) return true;
            long start = System.currentTimeMillis();
            long left = msecs;
            try {
                while (waiting_) {
                    if (left <= 0) {
                        waiting_ = false;
                        return false;
                    }
                    wait(left);
                    left = msecs - (System.currentTimeMillis() - start);
                }
                return true;
            } catch (InterruptedException e) {
                if (waiting_) {
                    waiting_ = false;
                    throw e;
                }
                Thread.currentThread().interrupt();
                return true;
            }
        }
    }

    abstract static class QueuedSemaphore implements Sync {
        protected final LinkedList<WaitNode> wq_ = new LinkedList<>();
        protected long permits_;

        QueuedSemaphore(long initial) { permits_ = initial; }

        protected abstract void insert(WaitNode w);
        protected abstract WaitNode extract();
    }

    static final class FifoSemaphore extends QueuedSemaphore {
        FifoSemaphore(long initial) { super(initial); }

        @Override protected void insert(WaitNode w) { wq_.addLast(w); }
        @Override protected WaitNode extract() { return wq_.isEmpty() ? null : wq_.removeFirst(); }

        @Override public void acquire() throws InterruptedException {
            WaitNode node;
            synchronized (this) {
                if (permits_ > 0) {
                    --permits_;
                    return;
                }
                node = new WaitNode();
                insert(node);
            }
            node.doWait();
        }

        @Override public boolean attempt(long msecs) throws InterruptedException {
            WaitNode node;
            synchronized (this) {
                if (permits_ > 0) {
                    --permits_;
                    return true;
                }
                if (msecs <= 0) return false;
                node = new WaitNode();
                insert(node);
            }
            return node.doTimedWait(msecs);
        }

        @Override public void release() {
            synchronized (this) {
                for (;;) {
                    WaitNode w = extract();
                    if (w == null) {
                        ++permits_;
                        return;
                    }
                    if (w.doNotify()) return;
                }
            }
        }
    }

    /** The log is written through to a slow disk. */
    static final class TransferLog {
        private long lines_, rolled_;

        synchronized void record() throws InterruptedException {
            lines_++;
            Thread.sleep(1);
        }

        synchronized long roll() throws InterruptedException {
            rolled_ += lines_;
            lines_ = 0;
            Thread.sleep(2);
            return rolled_;
        }
    }

    static final Sync permits = new FifoSemaphore(3);
    static final TransferLog log = new TransferLog();
    static final AtomicInteger uploading = new AtomicInteger();

    static void upload() throws InterruptedException {
        check(uploading.incrementAndGet() <= 3, "more than three uploads");
        nap(3, 8);
        uploading.decrementAndGet();
        permits.release();
        log.record();
        ops.incrementAndGet();
    }

    static void begin() {
        for (int i = 0; i < 5; i++) {
            spawn("mirror-" + i, () -> {
                permits.acquire();
                upload();
                nap(1, 4);
            });
        }
        for (int i = 0; i < 2; i++) {
            spawn("hasty-" + i, () -> {
                if (permits.attempt(9)) upload();
                else nap(2, 6);
            });
        }
        spawn("roller", () -> {
            long n = log.roll();
            check(n <= ops.get() + 20, "log ran ahead");
            nap(6, 12);
        });
    }

    static final AtomicLong ops = new AtomicLong();
    static volatile String broken;

    interface Step { void run() throws InterruptedException; }

    static void check(boolean ok, String what) { if (!ok) broken = what; }

    static void nap(int min, int max) throws InterruptedException {
        Thread.sleep(min + ThreadLocalRandom.current().nextInt(max - min + 1));
    }

    static void spawn(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) step.run();
            } catch (InterruptedException e) {
                broken = name + " was interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        begin();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (broken == null && System.currentTimeMillis() < end) Thread.sleep(50);
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
