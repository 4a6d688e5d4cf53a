// @lock AuctionHouse$Lot
// @type LATCH+MUTEX count=1
// @role enter AuctionHouse$Lot.bid
// @role await AuctionHouse$Lot.awaitSold
// @role count-down AuctionHouse$Lot.hammer

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** An auction: bidders top one another on the lot of the moment, reporters wait for the hammer, which falls once on each lot. */
public final class AuctionHouse {
    static final class Lot {
        private final int number;
        private int highest;
        private String leader = "nobody";
        private boolean sold;
        private volatile Lot next;

        Lot(int number) {
            this.number = number;
        }

        synchronized boolean bid(String bidder, int raise) throws InterruptedException {
            if (sold) {
                return false;
            }
            int before = highest;
            Thread.sleep(1); // the clerk writes it down
            highest = before + raise;
            leader = bidder;
            return true;
        }

        synchronized void hammer() {
            sold = true;
            notifyAll();
        }

        synchronized String awaitSold() throws InterruptedException {
            while (!sold) {
                wait();
            }
            return leader + " for " + highest;
        }
    }

    private static final AtomicLong reports = new AtomicLong();
    private static final AtomicLong disputes = new AtomicLong();

    private static void bidder(String name, AtomicReference<Lot> current) throws InterruptedException {
        for (;;) {
            current.get().bid(name, ThreadLocalRandom.current().nextInt(1, 10));
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    private static void reporter(Lot first) throws InterruptedException {
        for (Lot lot = first;; lot = lot.next) {
            String result = lot.awaitSold();
            if (!result.equals(lot.awaitSold())) {
                disputes.incrementAndGet();
            }
            reports.incrementAndGet();
        }
    }

    interface Job {
        void run() throws InterruptedException;
    }

    private static void start(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                job.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Lot lot = new Lot(1);
        Lot first = lot;
        AtomicReference<Lot> current = new AtomicReference<>(lot);
        for (int i = 0; i < 5; i++) {
            String name = "bidder-" + i;
            start(name, () -> bidder(name, current));
        }
        for (int i = 0; i < 3; i++) {
            start("reporter-" + i, () -> reporter(first));
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end) {
            Thread.sleep(18);
            lot.next = new Lot(lot.number + 1);
            current.set(lot.next);
            lot.hammer();
            lot = lot.next;
        }
        if (disputes.get() > 0) {
            throw new IllegalStateException(disputes + " bids after the hammer");
        }
        System.out.println("DONE " + reports);
    }
}
