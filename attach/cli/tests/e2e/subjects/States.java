import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that each stay in one state until the JVM is killed: four blocked on one monitor, three parked, two of them
 * on a lock, two in wait and one in a timed one, two asleep, one that spins. READY when all are there.
 */
public class States {
    static final class Gate {}

    static final class Bell {}

    static final Gate GATE = new Gate();
    static final Bell BELL = new Bell();
    static final ReentrantLock LOCK = new ReentrantLock();
    static final ThreadGroup GROUP = new ThreadGroup("postures");
    static volatile boolean stop;

    public static void main(String[] args) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        start("holder", () -> hold(held));
        held.await();
        for (int i = 0; i < 4; i++) await(start("blocked-" + i, States::blocked), Thread.State.BLOCKED);
        for (int i = 0; i < 2; i++) await(start("locker-" + i, States::locker), Thread.State.WAITING);
        await(start("parked-0", () -> parked(GROUP)), Thread.State.WAITING);
        for (int i = 0; i < 2; i++) await(start("waiting-" + i, () -> waiting(0)), Thread.State.WAITING);
        await(start("timed-0", () -> waiting(1 << 30)), Thread.State.TIMED_WAITING);
        for (int i = 0; i < 2; i++) await(start("sleeping-" + i, States::sleep), Thread.State.TIMED_WAITING);
        await(start("spinning-0", States::spin), Thread.State.RUNNABLE);
        System.out.println("READY");
        sleep();
    }

    static Thread start(String name, Runnable work) {
        Thread thread = new Thread(GROUP, work, name);
        thread.start();
        return thread;
    }

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) Thread.sleep(1);
    }

    static void hold(CountDownLatch held) {
        LOCK.lock();
        synchronized (GATE) {
            held.countDown();
            sleep();
        }
    }

    static void blocked() {
        synchronized (GATE) {
            throw new AssertionError("it is held for good");
        }
    }

    static void locker() {
        LOCK.lock();
    }

    static void parked(Object blocker) {
        while (!stop) LockSupport.park(blocker);
    }

    static void waiting(long millis) {
        synchronized (BELL) {
            while (!stop) {
                try {
                    BELL.wait(millis);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    static void sleep() {
        try {
            Thread.sleep(1L << 40);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void spin() {
        long n = 0;
        while (!stop) n++;
        System.out.println(n);
    }
}
