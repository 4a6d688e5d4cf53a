// @finds nothing

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** As {@code OneDesk}, with two desks: one is always left for who has the file. */
public final class TwoDesks {
    private static final Semaphore desks = new Semaphore(2);
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
        desks.acquireUninterruptibly(2);
        Thread guest = new Thread(TwoDesks::sit, "guest");
        guest.start();
        while (guest.getState() != Thread.State.WAITING || !desks.hasQueuedThreads()) {
            Thread.yield();
        }
        desks.release(2);
        guest.join();
        Thread writer = start(0, TwoDesks::write);
        Thread fetcher = start(1, TwoDesks::fetch);
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
