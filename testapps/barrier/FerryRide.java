// @lock FerryRide$Ferry
// @type BARRIER parties=4
// @role arrive FerryRide$Ferry.ride

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A ferry that leaves when four passengers are aboard. Six people travel all day. Nobody may board before the last
 * passenger of the ride before has got off, so an arrival can wait twice: for the empty deck, and for the full one.
 */
public final class FerryRide {
    static final class Ferry {
        private static final int SEATS = 4;
        private int aboard;
        private int leaving;

        synchronized void ride() throws InterruptedException {
            awaitEmptyDeck();
            aboard++;
            if (aboard == SEATS) {
                leaving = SEATS;
                notifyAll();
            } else {
                while (leaving == 0) {
                    wait();
                }
            }
            getOff();
        }

        private void awaitEmptyDeck() throws InterruptedException {
            while (leaving > 0) {
                wait();
            }
        }

        private void getOff() {
            aboard--;
            if (--leaving == 0) {
                notifyAll();
            }
        }
    }

    private static final AtomicInteger near = new AtomicInteger();
    private static final AtomicLong crossings = new AtomicLong();
    private static volatile boolean failed;

    private static void travel(Ferry ferry) {
        try {
            while (!failed) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                near.incrementAndGet();
                ferry.ride();
                near.decrementAndGet();
                if (ferry.aboard > Ferry.SEATS) {
                    failed = true;
                }
                crossings.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Ferry ferry = new Ferry();
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(() -> travel(ferry), "passenger-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed || near.get() > 6) {
            throw new IllegalStateException("the ferry was overloaded");
        }
        System.out.println("DONE " + crossings);
    }
}
