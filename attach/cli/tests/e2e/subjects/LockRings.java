import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A lock and a monitor that are taken in both orders, one after the other, so that nothing blocks for ever; two locks whose
 * reading holds are taken in both orders, which is none of a deadlock; and a writer who waits for two readers, and a thread that
 * waits for a permit. Says which threads those were.
 */
public final class LockRings {
    static final Object MONITOR = new Object();
    static final ReentrantLock LOCK = new ReentrantLock();
    static final ReentrantReadWriteLock ONE = new ReentrantReadWriteLock(), OTHER = new ReentrantReadWriteLock();

    static void lockThenMonitor() {
        LOCK.lock();
        try {
            synchronized (MONITOR) { count++; }
        } finally {
            LOCK.unlock();
        }
    }

    static void monitorThenLock() {
        synchronized (MONITOR) {
            LOCK.lock();
            try { count++; } finally { LOCK.unlock(); }
        }
    }

    static void readBoth(ReentrantReadWriteLock first, ReentrantReadWriteLock second) {
        first.readLock().lock();
        second.readLock().lock();
        second.readLock().unlock();
        first.readLock().unlock();
    }

    static int count;

    static Thread start(String name, Runnable run) {
        Thread thread = new Thread(run, name);
        thread.start();
        return thread;
    }

    /** How many of two that run one after the other are done. */
    static volatile int done;

    /** Lets two threads run one after the other, both alive all the time: joins, or a latch, would tell that they never meet. */
    static void inTurn(Runnable first, Runnable second) throws Exception {
        done = 0;
        Thread one = start("one", () -> { first.run(); done = 1; until(2); });
        Thread two = start("two", () -> { until(1); second.run(); done = 2; });
        one.join();
        two.join();
    }

    static void until(int many) {
        while (done < many) {
            try { Thread.sleep(1); } catch (InterruptedException e) { throw new AssertionError(e); }
        }
    }

    static void await(CountDownLatch latch) {
        try { latch.await(); } catch (InterruptedException e) { throw new AssertionError(e); }
    }

    static void parked(Thread thread) throws Exception {
        while (thread.getState() != Thread.State.WAITING) Thread.sleep(1);
    }

    /** Somebody wants what two hold, who let go when he is parked. */
    static void blame(String name, Runnable take, Runnable give, Runnable want) throws Exception {
        CountDownLatch held = new CountDownLatch(2), go = new CountDownLatch(1);
        Runnable hold = () -> { take.run(); held.countDown(); await(go); give.run(); };
        Thread[] holders = { start(name + "-1", hold), start(name + "-2", hold) };
        held.await();
        Thread waiter = start(name + "-waits", want);
        parked(waiter);
        Thread.sleep(100);
        go.countDown();
        for (Thread holder : holders) holder.join();
        waiter.join();
    }

    public static void main(String[] args) throws Exception {
        inTurn(LockRings::lockThenMonitor, LockRings::monitorThenLock);
        inTurn(() -> readBoth(ONE, OTHER), () -> readBoth(OTHER, ONE));
        blame("reader", () -> ONE.readLock().lock(), () -> ONE.readLock().unlock(), () -> {
            ONE.writeLock().lock();
            ONE.writeLock().unlock();
        });
        Semaphore permits = new Semaphore(2);
        blame("permit", permits::acquireUninterruptibly, permits::release, () -> {
            permits.acquireUninterruptibly();
            permits.release();
        });
        System.out.println("DONE");
    }
}
