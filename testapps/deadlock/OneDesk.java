// @finds permit T3

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** One desk, and a file: one clerk takes the desk first, the other the file. That there is one desk shows a guest who has to wait. */
public final class OneDesk {
    private static final Semaphore desks = new Semaphore(1);
    private static final Object file = new Object();
    private static final AtomicInteger here = new AtomicInteger();
    private static volatile int turn = -1;
    private static int booked;

    private static void write() {
        desks.acquireUninterruptibly();
        synchronized (file) {
            booked++;
        }
        desks.release();
    }

    private static void fetch() {
        synchronized (file) {
            desks.acquireUninterruptibly();
            booked++;
            desks.release();
        }
    }

    private static void sit() {
        desks.acquireUninterruptibly();
        desks.release();
    }

    private static Thread start(int mine, Runnable work) {
        Thread thread = new Thread(() -> {
            here.incrementAndGet();
            while (turn != mine) {
                Thread.yield();
            }
            work.run();
            turn = mine + 1;
        }, "clerk-" + mine);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        desks.acquireUninterruptibly(1);
        Thread guest = new Thread(OneDesk::sit, "guest");
        guest.start();
        while (guest.getState() != Thread.State.WAITING || !desks.hasQueuedThreads()) {
            Thread.yield();
        }
        desks.release(1);
        guest.join();
        Thread writer = start(0, OneDesk::write);
        Thread fetcher = start(1, OneDesk::fetch);
        // Nobody begins before both are there: a thread that begins after another was joined may have been started after it.
        while (here.get() < 2) {
            Thread.yield();
        }
        turn = 0;
        writer.join();
        fetcher.join();
        System.out.println("DONE " + booked);
    }
}
