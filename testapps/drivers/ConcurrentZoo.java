import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * One of everything in java.util.concurrent that threads park on, each held or waited for long enough that looks
 * at 50 a second find it. Written for JDK 8. With "stuck" two threads and their two locks are in a deadlock.
 */
public final class ConcurrentZoo {
    interface Work {
        void run() throws Exception;
    }

    /** A lock of the program's own: it names its owner. */
    static final class OwnMutex extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int ignored) {
            if (compareAndSetState(0, 1)) {
                setExclusiveOwnerThread(Thread.currentThread());
                return true;
            }
            return false;
        }

        @Override
        protected boolean tryRelease(int ignored) {
            setExclusiveOwnerThread(null);
            setState(0);
            return true;
        }
    }

    /** A gate of the program's own: it has no owner. */
    static final class OwnGate extends AbstractQueuedSynchronizer {
        @Override
        protected int tryAcquireShared(int ignored) {
            return getState() == 0 ? -1 : 1;
        }
    }

    final ReentrantLock plain = new ReentrantLock();
    final ReentrantLock fair = new ReentrantLock(true);
    final ReentrantLock guard = new ReentrantLock();
    final Condition changed = guard.newCondition();
    final ReentrantReadWriteLock table = new ReentrantReadWriteLock();
    final StampedLock stamp = new StampedLock();
    final Semaphore permits = new Semaphore(3);
    final CountDownLatch opened = new CountDownLatch(2);
    final CyclicBarrier meeting = new CyclicBarrier(3);
    final Phaser phases = new Phaser(2);
    final Exchanger<String> swap = new Exchanger<>();
    final BlockingQueue<String> ring = new ArrayBlockingQueue<>(4);
    final BlockingQueue<String> line = new LinkedBlockingQueue<>();
    final BlockingQueue<String> hand = new SynchronousQueue<>();
    final OwnMutex mutex = new OwnMutex();
    final OwnGate gate = new OwnGate();
    final ExecutorService pool = Executors.newFixedThreadPool(3);

    static void start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    work.run();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }


    void usePlain() throws InterruptedException {
        plain.lock();
        try {
            Thread.sleep(10);
        } finally {
            plain.unlock();
        }
    }

    void useFair() throws InterruptedException {
        fair.lock();
        try {
            Thread.sleep(10);
        } finally {
            fair.unlock();
        }
    }

    void awaitChange() throws InterruptedException {
        guard.lock();
        try {
            changed.await();
        } finally {
            guard.unlock();
        }
    }

    void change() throws InterruptedException {
        Thread.sleep(30);
        guard.lock();
        try {
            changed.signalAll();
        } finally {
            guard.unlock();
        }
    }

    void readTable() throws InterruptedException {
        table.readLock().lock();
        try {
            Thread.sleep(8);
        } finally {
            table.readLock().unlock();
        }
    }

    void writeTable() throws InterruptedException {
        table.writeLock().lock();
        try {
            Thread.sleep(12);
        } finally {
            table.writeLock().unlock();
        }
    }

    void useStamp() throws InterruptedException {
        long held = stamp.writeLock();
        try {
            Thread.sleep(10);
        } finally {
            stamp.unlockWrite(held);
        }
    }

    void usePermit() throws InterruptedException {
        permits.acquire();
        try {
            Thread.sleep(20);
        } finally {
            permits.release();
        }
        // All together again: in between all permits are free.
        Thread.sleep(200 - System.currentTimeMillis() % 200);
    }

    void useMutex() throws InterruptedException {
        mutex.acquire(1);
        try {
            Thread.sleep(10);
        } finally {
            mutex.release(1);
        }
    }

    void meet() throws Exception {
        Thread.sleep((long) (Math.random() * 40));
        meeting.await();
    }

    void produce() throws InterruptedException {
        ring.put("a");
    }

    void consume() throws InterruptedException {
        Thread.sleep(20);
        ring.take();
    }

    void send() throws InterruptedException {
        Thread.sleep(25);
        line.put("b");
    }

    void receive() throws InterruptedException {
        line.take();
    }

    void task() throws Exception {
        Future<?> done = pool.submit(() -> {
            Thread.sleep(30);
            return null;
        });
        done.get();
    }

    static void lockBoth(ReentrantLock one, ReentrantLock other, CyclicBarrier both) throws Exception {
        one.lock();
        both.await();
        other.lock();
    }

    static void deadlock() {
        ReentrantLock left = new ReentrantLock();
        ReentrantLock right = new ReentrantLock();
        CyclicBarrier both = new CyclicBarrier(2);
        start("stuck-left", () -> lockBoth(left, right, both));
        start("stuck-right", () -> lockBoth(right, left, both));
    }

    void open() {
        for (int i = 0; i < 3; i++) {
            start("plain-" + i, this::usePlain);
            start("fair-" + i, this::useFair);
            start("reader-" + i, this::readTable);
            start("stamp-" + i, this::useStamp);
            start("mutex-" + i, this::useMutex);
            start("meeter-" + i, this::meet);
        }
        for (int i = 0; i < 5; i++) {
            start("permit-" + i, this::usePermit);
        }
        for (int i = 0; i < 2; i++) {
            start("phase-" + i, () -> {
                Thread.sleep((long) (Math.random() * 40));
                phases.arriveAndAwaitAdvance();
            });
            start("swap-" + i, () -> {
                Thread.sleep((long) (Math.random() * 40));
                swap.exchange("x");
            });
        }
        start("writer", this::writeTable);
        start("awaiter", this::awaitChange);
        start("changer", this::change);
        start("latched", () -> opened.await());
        start("gated", () -> gate.acquireShared(1));
        start("producer", this::produce);
        start("consumer", this::consume);
        start("sender", this::send);
        start("receiver", this::receive);
        start("giver", () -> {
            Thread.sleep(20);
            hand.put("h");
        });
        start("getter", () -> hand.take());
        start("asker", this::task);
    }

    public static void main(String[] args) throws Exception {
        new ConcurrentZoo().open();
        if (args.length > 0 && args[0].equals("stuck")) {
            deadlock();
        }
        System.out.println("READY");
        Thread.sleep(600_000);
    }
}
