// @finds permit T3

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Two permits, of which each needs both and takes them one by one. That there are two shows a guest who has to wait. */
public final class PermitPairs {
    private static final Semaphore pens = new Semaphore(2);
    private static final AtomicInteger here = new AtomicInteger();
    private static volatile int turn = -1;
    private static int booked;

    private static void write() {
        pens.acquireUninterruptibly();
        pens.acquireUninterruptibly();
        booked++;
        pens.release(2);
    }

    /** Takes both, and gives them back when somebody waits. */
    private static void show() {
        pens.acquireUninterruptibly(2);
        Thread guest = new Thread(() -> {
            pens.acquireUninterruptibly();
            pens.release();
        }, "guest");
        guest.start();
        while (guest.getState() != Thread.State.WAITING || !pens.hasQueuedThreads()) {
            Thread.yield();
        }
        pens.release(2);
        while (guest.isAlive()) {
            Thread.yield();
        }
    }

    private static void await(int which) {
        while (turn != which) {
            Thread.yield();
        }
    }

    private static void run(Runnable... clerks) throws InterruptedException {
        Thread[] threads = new Thread[clerks.length];
        for (int i = 0; i < clerks.length; i++) {
            int mine = i;
            threads[i] = new Thread(() -> {
                here.incrementAndGet();
                await(mine);
                clerks[mine].run();
                turn = mine + 1;
            }, "clerk-" + i);
            threads[i].start();
        }
        // Nobody begins before all are there: a thread that begins after another was joined may have been started after it.
        while (here.get() < clerks.length) {
            Thread.yield();
        }
        turn = 0;
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("DONE " + booked);
    }

    public static void main(String[] args) throws InterruptedException {
        run(PermitPairs::show, PermitPairs::write, PermitPairs::write);
    }
}
