// @lock Seats
// @type SEMAPHORE
// @role acquire Seats.claim
// @role release Seats.vacate
// @lock Rendezvous
// @type BARRIER parties=5
// @role arrive Rendezvous.meet

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The roller coaster: four guests claim seats, ride once all are in, and the operator frees all seats at the end. */
public class GondolaRide {
    static final AtomicLong rides = new AtomicLong();
    static final AtomicInteger seated = new AtomicInteger();
    static volatile String accident;

    interface Part {
        void once() throws InterruptedException;
    }

    static Thread loop(String name, final Part p) {
        Thread t = new Thread(name) {
            @Override
            public void run() {
                try {
                    while (accident == null) {
                        p.once();
                    }
                } catch (InterruptedException e) {
                    accident = getName() + " interrupted";
                }
            }
        };
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final Seats seats = new Seats();
        final Rendezvous full = new Rendezvous(5);
        final Rendezvous over = new Rendezvous(5);
        for (int i = 0; i < 10; i++) {
            final int wander = 2 + i % 4;
            loop("guest-" + i, () -> {
                seats.claim();
                if (seated.incrementAndGet() > 4) {
                    accident = "overloaded gondola";
                }
                full.meet();
                over.meet();
                Thread.sleep(wander);
            });
        }
        loop("operator", () -> {
            full.meet();
            if (seated.get() != 4) {
                accident = "left with " + seated.get();
            }
            Thread.sleep(4);
            seated.set(0);
            over.meet();
            rides.incrementAndGet();
            seats.vacate(4);
        });
        seats.vacate(4);
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && accident == null) {
            Thread.sleep(30);
        }
        if (accident != null) {
            System.out.println(accident);
            System.exit(1);
        }
        System.out.println("DONE " + rides);
    }
}

class Seats {
    private int free;

    synchronized void claim() throws InterruptedException {
        while (free <= 0) {
            wait();
        }
        --free;
    }

    synchronized void vacate(int n) {
        free += n;
        for (int i = 0; i < n; i++) {
            notify();
        }
    }
}

class Rendezvous {
    private final int parties;
    private int missing;
    private long round;

    Rendezvous(int n) {
        parties = n;
        missing = n;
    }

    synchronized void meet() throws InterruptedException {
        long mine = round;
        if (--missing > 0) {
            do {
                wait();
            } while (round == mine);
        } else {
            round++;
            missing = parties;
            notifyAll();
        }
    }
}
