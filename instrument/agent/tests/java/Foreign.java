import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Calls locks and queues by their interfaces: the JDK's, and one that is none, and then the JDK's from elsewhere. A line: so many times, "done". */
public class Foreign {
    /** Does nothing, and comes to no lock of the JDK's. */
    static class Nothing implements Lock {
        @Override public void lock() { }
        @Override public void lockInterruptibly() { }
        @Override public boolean tryLock() { return true; }
        @Override public boolean tryLock(long time, TimeUnit unit) { return true; }
        @Override public void unlock() { }
        @Override public Condition newCondition() { return null; }
    }

    /** What is rewritten. */
    static class Calls {
        static void lock(Lock lock) {
            lock.lock();
        }

        static void unlock(Lock lock) {
            lock.unlock();
        }

        static boolean tryFor(Lock lock, long time) throws InterruptedException {
            return lock.tryLock(time, TimeUnit.SECONDS);
        }

        static void put(BlockingQueue<Object> queue, Object item) throws InterruptedException {
            queue.offer(item, 1, TimeUnit.SECONDS);
        }

        static void ofNothing() {
            Lock none = null;
            none.lock();
        }
    }

    /** What is not. */
    static class Elsewhere {
        static final ReentrantLock OWN = new ReentrantLock();

        static void lock() {
            OWN.lock();
        }

        static void tryFor() throws InterruptedException {
            OWN.tryLock(1, TimeUnit.SECONDS);
        }

        static void unlock() {
            OWN.unlock();
        }
    }

    static final ReentrantLock LOCK = new ReentrantLock();
    static final BlockingQueue<Object> QUEUE = new LinkedBlockingQueue<>();

    static void once() throws InterruptedException {
        Lock nothing = new Nothing();
        Calls.lock(LOCK);
        Calls.unlock(LOCK);
        Calls.tryFor(LOCK, 1);
        Calls.unlock(LOCK);
        Calls.put(QUEUE, LOCK);
        Calls.lock(nothing);
        Elsewhere.lock();
        Calls.unlock(nothing);
        Elsewhere.unlock();
        Calls.tryFor(nothing, 1);
        Elsewhere.tryFor();
        Elsewhere.unlock();
        try {
            Calls.ofNothing();
        } catch (NullPointerException e) {
            // As it should be.
        }
        Elsewhere.lock();
        Elsewhere.unlock();
    }

    public static void main(String[] args) throws Exception {
        once();
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            for (int i = Integer.parseInt(line); i > 0; i--) once();
            System.out.println("done");
        }
    }
}
