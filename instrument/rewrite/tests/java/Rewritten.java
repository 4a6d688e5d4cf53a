import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.*;

/**
 * Takes and gives back locks of a JDK whose own classes are rewritten, in threads whose stacks have no room for probes: nobody
 * may be left waiting.
 */
public final class Rewritten implements Runnable {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static final Semaphore permits = new Semaphore(1);
    static int turn, rounds;

    public void run() {
        int me = Integer.parseInt(inheritedNumber.get());
        for (int i = 0; i < 2000; i++) {
            lock.lock();
            try {
                while (turn != me) changed.awaitUninterruptibly();
                turn = 1 - me;
                rounds++;
                changed.signal();
            } finally {
                lock.unlock();
            }
            permits.acquireUninterruptibly();
            permits.release();
        }
    }

    static final ThreadLocal<String> inheritedNumber = new InheritableThreadLocal<String>();

    static Thread narrow(Runnable what, int number) {
        inheritedNumber.set("" + number);
        return new Thread(what, "narrow");
    }

    public static void main(String[] args) throws Exception {
        Thread starter = narrow(new Runnable() {
            public void run() {
                Thread[] both = { narrow(new Rewritten(), 0), narrow(new Rewritten(), 1) };
                for (Thread thread : both) thread.start();
                try {
                    for (Thread thread : both) thread.join();
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }
        }, 0);
        starter.start();
        starter.join();
        boolean free = !lock.isLocked() && permits.availablePermits() == 1;
        System.out.println(rounds + " rounds, " + (free ? "all given back" : "something is kept"));
    }
}
