import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that park and are let go on from one method each: unlocked by leave(), counted down by open(), or unparked by hand. */
public final class Handovers {
    static final int ROUNDS = 50;
    static final ReentrantLock lock = new ReentrantLock();
    static final Object bench = new Object();
    static volatile boolean rung;

    private static void enter() {
        lock.lock();
    }

    private static void leave() {
        lock.unlock();
    }

    private static void open(CountDownLatch gate) {
        gate.countDown();
    }

    private static void parked(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
    }

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            enter();
            Thread waiter = new Thread(() -> {
                enter();
                leave();
            }, "waiter");
            waiter.start();
            parked(waiter);
            leave();
            waiter.join();

            CountDownLatch gate = new CountDownLatch(1);
            Thread guest = new Thread(() -> {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, "guest");
            guest.start();
            parked(guest);
            open(gate);
            guest.join();
        }
        Thread sitter = new Thread(() -> {
            while (!rung) {
                LockSupport.park(bench);
            }
        }, "sitter");
        sitter.start();
        parked(sitter);
        rung = true;
        LockSupport.unpark(sitter);
        sitter.join();
        System.out.println("DONE");
    }
}
