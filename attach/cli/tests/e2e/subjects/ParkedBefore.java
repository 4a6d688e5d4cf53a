import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Main has a lock from the beginning on, two threads wait for it, and one for an hour at a condition of another lock. At the first
 * line of the input main gives its lock back, and those two take it one after the other. Written for JDK 8.
 */
public final class ParkedBefore {
    static final ReentrantLock lock = new ReentrantLock();
    static final ReentrantLock other = new ReentrantLock();
    static final Condition never = other.newCondition();

    public static void main(String[] args) throws Exception {
        lock.lock();
        Thread[] waiters = {start("first", ParkedBefore::take), start("second", ParkedBefore::take)};
        start("patient", ParkedBefore::await);
        System.out.println("READY");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        input.readLine();
        lock.unlock();
        for (Thread waiter : waiters) {
            waiter.join();
        }
        System.out.println("TAKEN");
        input.readLine();
    }

    static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.yield();
        }
        return thread;
    }

    static void take() {
        lock.lock();
        lock.unlock();
    }

    static void await() {
        other.lock();
        try {
            never.await(1, TimeUnit.HOURS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            other.unlock();
        }
    }
}
