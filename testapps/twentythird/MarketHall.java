// @lock MarketHall$Day
// @type SEMAPHORE+LATCH permits=3 count=1
// @role await MarketHall$Day.enter
// @role acquire MarketHall$Day.enter
// @role release MarketHall$Day.leave
// @role count-down MarketHall$Day.open
//
// @lock MarketHall$Scales
// @type LOCK reentrant=true
// @role lock MarketHall$Scales.seize
// @role unlock MarketHall$Scales.cede

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A market hall that is opened anew each (very short) day and holds three dealers at a time; one pair of scales. */
public class MarketHall {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    static class Day {
        private boolean open;
        private int inside;
        private final AtomicInteger counted = new AtomicInteger();

        synchronized void enter() throws InterruptedException {
            while (!open) {
                wait();
            }
            while (inside == 3) {
                wait();
            }
            inside++;
        }

        synchronized void leave() {
            inside--;
            notifyAll();
        }

        synchronized void open() {
            open = true;
            notifyAll();
        }
    }

    static class Scales {
        private Thread weigher;
        private int holds;

        synchronized void seize() throws InterruptedException {
            Thread t = Thread.currentThread();
            while (holds > 0 && weigher != t) {
                wait();
            }
            weigher = t;
            holds++;
        }

        synchronized void cede() {
            if (weigher != Thread.currentThread()) {
                throw new IllegalStateException("these scales are not yours");
            }
            if (--holds == 0) {
                weigher = null;
                notifyAll();
            }
        }
    }

    static volatile Day today = new Day();
    static int pan;

    static void weigh(Scales scales, int kilos) throws InterruptedException {
        scales.seize();
        try {
            if (kilos > 1) {
                weigh(scales, kilos - 1);
            }
            pan += kilos;
            nap(1, 1);
            pan -= kilos;
            check(pan == 0, "two dealers on the scales");
        } finally {
            scales.cede();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Scales scales = new Scales();
        for (int i = 0; i < 6; i++) {
            loop("dealer-" + i, () -> {
                Day day = today;
                day.enter();
                check(day.counted.incrementAndGet() <= 3, "the hall is too full");
                nap(2, 6);
                day.counted.decrementAndGet();
                day.leave();
            });
        }
        for (int i = 0; i < 3; i++) {
            loop("weigher-" + i, () -> {
                weigh(scales, ThreadLocalRandom.current().nextInt(1, 3));
                nap(2, 7);
            });
        }
        loop("warden", () -> {
            nap(5, 10);
            today.open();
            nap(20, 40);
            today = new Day();
        });
        finish(args);
    }
}
