// @lock java.lang.Object#sit
// @type SEMAPHORE permits=4
// @role acquire Cinema.sit
// @role release Cinema.leave
//
// @lock java.lang.Object#pay
// @type MUTEX
// @role enter Cinema.pay
// @role enter Cinema.cashUp

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A very small cinema with four seats and one cash desk; both locks are plain objects of one class. */
public final class Cinema {
    private final Object seats = new Object();
    private final Object cash = new Object();

    private int vacant = 4;
    private long sold;
    private long counted;

    private final AtomicInteger seated = new AtomicInteger();
    private final AtomicLong tickets = new AtomicLong();
    private volatile boolean failed;
    private volatile boolean closed;

    void sit() throws InterruptedException {
        synchronized (seats) {
            while (vacant <= 0) {
                seats.wait();
            }
            vacant -= 1;
        }
    }

    void leave() {
        synchronized (seats) {
            vacant += 1;
            seats.notify();
        }
    }

    void pay() throws InterruptedException {
        synchronized (cash) {
            sold++;
            Thread.sleep(1); // looking for change
        }
        tickets.incrementAndGet();
    }

    void cashUp() {
        synchronized (cash) {
            counted += sold;
            sold = 0;
        }
    }

    private void visitor() {
        try {
            while (!closed) {
                pay();
                sit();
                if (seated.incrementAndGet() > 4) {
                    failed = true;
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
                seated.decrementAndGet();
                leave();
            }
        } catch (InterruptedException e) {
            failed = true;
        }
    }

    private void manager() {
        try {
            while (!closed) {
                cashUp();
                Thread.sleep(4);
            }
        } catch (InterruptedException e) {
            failed = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Cinema cinema = new Cinema();
        Thread[] all = new Thread[8];
        for (int i = 0; i < all.length; i++) {
            all[i] = i == 0 ? new Thread(cinema::manager, "manager") : new Thread(cinema::visitor, "visitor-" + i);
            all[i].setDaemon(true);
            all[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        cinema.closed = true;
        for (Thread t : all) {
            t.join(5_000);
        }
        cinema.cashUp();
        if (cinema.failed || cinema.counted != cinema.tickets.get()) {
            throw new IllegalStateException("more visitors than seats, or a ticket went astray");
        }
        System.out.println("DONE " + cinema.tickets);
    }
}
