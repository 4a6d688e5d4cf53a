// @finds nothing

import java.util.concurrent.Semaphore;

/** As {@code OneDesk}, with two desks: one is always left for who has the file. */
public final class TwoDesks {
    private static final Semaphore desks = new Semaphore(2);
    private static final Object file = new Object();
    private static volatile int turn;
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
        writer.join();
        fetcher.join();
        System.out.println("DONE " + booked);
    }
}
