import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Two threads that take locks of java.util.concurrent in one order or another, in turns, until standard input ends or so
 * many turns are over: they never get stuck, but where that is the point.
 */
public final class Guarded {
    interface Work {
        void run() throws Exception;
    }

    /** A lock of the program's own, which anybody could open. */
    static final class Own extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int one) {
            return compareAndSetState(0, 1);
        }

        @Override
        protected boolean tryRelease(int one) {
            setState(0);
            return true;
        }
    }

    static final ReentrantLock left = new ReentrantLock(), right = new ReentrantLock(), gate = new ReentrantLock();
    static final Condition news = left.newCondition();
    static final Object monitor = new Object();
    static final ReentrantReadWriteLock shelf = new ReentrantReadWriteLock(), desk = new ReentrantReadWriteLock();
    static final StampedLock stamped = new StampedLock();
    static final Own own = new Own();
    static volatile boolean over, go;
    static volatile int turn;
    static long count;

    static void both(Lock first, Lock second) {
        first.lock();
        try {
            second.lock();
            try {
                count++;
            } finally {
                second.unlock();
            }
        } finally {
            first.unlock();
        }
    }

    static void lockThenMonitor() {
        left.lock();
        try {
            synchronized (monitor) {
                count++;
            }
        } finally {
            left.unlock();
        }
    }

    static void monitorThenLock() {
        synchronized (monitor) {
            left.lock();
            try {
                count++;
            } finally {
                left.unlock();
            }
        }
    }

    static void ownThenMonitor() {
        own.acquire(1);
        synchronized (monitor) {
            count++;
        }
        own.release(1);
    }

    static void monitorThenOwn() {
        synchronized (monitor) {
            own.acquire(1);
            count++;
            own.release(1);
        }
    }

    static void stampThenLock() {
        long stamp = stamped.writeLock();
        try {
            left.lock();
            count++;
            left.unlock();
        } finally {
            stamped.unlock(stamp);
        }
    }

    static void lockThenStamp() {
        left.lock();
        try {
            long stamp = stamped.readLock();
            count++;
            stamped.unlockRead(stamp);
        } finally {
            left.unlock();
        }
    }

    static void behindGate(Lock first, Lock second) {
        gate.lock();
        try {
            both(first, second);
        } finally {
            gate.unlock();
        }
    }

    static void tryInTurn(Lock first, Lock second) throws Exception {
        first.lock();
        try {
            if (second.tryLock() || second.tryLock(1, TimeUnit.MILLISECONDS)) {
                count++;
                second.unlock();
            }
        } finally {
            first.unlock();
        }
    }

    /** Waits with another lock held, so that it takes its lock back inside that. */
    static void waits() throws Exception {
        left.lock();
        right.lock();
        try {
            news.await(1, TimeUnit.MILLISECONDS);
        } finally {
            right.unlock();
            left.unlock();
        }
    }

    static void upgrade(CountDownLatch reading) throws Exception {
        shelf.readLock().lock();
        reading.countDown();
        reading.await();
        shelf.writeLock().lockInterruptibly();
    }

    static void stuck(Lock first, Lock second, CountDownLatch armed) throws Exception {
        first.lockInterruptibly();
        armed.countDown();
        armed.await();
        second.lockInterruptibly();
    }

    static Thread start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception stop) {
                over = true;
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Does it whenever it is its turn. */
    static Thread inTurn(String name, int own, Work work) {
        return start(name, () -> {
            while (!over) {
                while (turn % 2 != own && !over) Thread.sleep(1);
                work.run();
                turn++;
            }
        });
    }

    static void pair(Work one, Work other) {
        inTurn("one", 0, one);
        inTurn("other", 1, other);
    }

    /** Two that begin when a line has come, while a third takes other locks. */
    static void twice(Work work) {
        for (String name : new String[] { "one", "other" }) {
            start(name, () -> {
                while (!go) Thread.sleep(1);
                work.run();
            });
        }
        start("third", () -> {
            while (!over) {
                both(gate, desk.writeLock());
                Thread.sleep(1);
            }
        });
    }

    static void begin(String what) {
        CountDownLatch armed = new CountDownLatch(2);
        switch (what) {
            case "locks": pair(() -> both(left, right), () -> both(right, left)); break;
            case "monitor": pair(Guarded::lockThenMonitor, Guarded::monitorThenLock); break;
            case "own": pair(Guarded::ownThenMonitor, Guarded::monitorThenOwn); break;
            case "stamped": pair(Guarded::stampThenLock, Guarded::lockThenStamp); break;
            case "writers": pair(() -> both(shelf.readLock(), desk.writeLock()), () -> both(desk.readLock(), shelf.writeLock())); break;
            case "waits": pair(Guarded::waits, () -> both(left, right)); break;
            case "readers": pair(() -> both(shelf.readLock(), desk.readLock()), () -> both(desk.readLock(), shelf.readLock())); break;
            case "gate": pair(() -> behindGate(left, right), () -> behindGate(right, left)); break;
            case "tried": pair(() -> tryInTurn(left, right), () -> tryInTurn(right, left)); break;
            case "alone": pair(() -> { both(left, right); both(right, left); }, () -> both(shelf.readLock(), left)); break;
            case "upgrade": twice(() -> upgrade(armed)); break;
            case "stuck": twice(() -> {
                boolean isOne = Thread.currentThread().getName().equals("one");
                stuck(isOne ? left : right, isOne ? right : left, armed);
            }); break;
            default: throw new IllegalArgumentException(what);
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        begin(args[0]);
        System.out.println("READY");
        System.out.flush();
        if (args.length > 1) {
            while (turn < Integer.parseInt(args[1])) Thread.sleep(1);
        } else {
            while (System.in.read() > 0) go = true;
        }
        over = true;
        System.out.println("DONE");
    }
}
