// @lock ClinicDay$Day
// @type SEMAPHORE+LATCH permits=2 count=1
// @role acquire ClinicDay$Day.enter
// @role release ClinicDay$Day.leave
// @role await ClinicDay$Day.awaitOpening
// @role count-down ClinicDay$Day.open

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A clinic, a monitor for each (short) day: patients wait for the doors to open, then two at a time may be inside. */
public final class ClinicDay {
    static final class Day {
        private boolean open;
        private int rooms = 2;
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger left = new AtomicInteger();
        private volatile Day tomorrow;

        synchronized void awaitOpening() throws InterruptedException {
            while (!open) {
                wait();
            }
        }

        synchronized void open() {
            open = true;
            notifyAll();
        }

        synchronized void enter() throws InterruptedException {
            while (rooms == 0) {
                wait();
            }
            rooms--;
        }

        synchronized void leave() {
            rooms++;
            notifyAll();
        }
    }

    private static final int PATIENTS = 5;
    private static final AtomicLong treated = new AtomicLong();
    private static volatile boolean failed;

    private static void patient(Day first) {
        try {
            for (Day day = first;; day = day.tomorrow) {
                day.awaitOpening();
                for (int visit = 0; visit < 3; visit++) {
                    day.enter();
                    if (day.inside.incrementAndGet() > 2) {
                        failed = true;
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    day.inside.decrementAndGet();
                    day.leave();
                    treated.incrementAndGet();
                }
                day.left.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Day day = new Day();
        Day first = day;
        for (int i = 0; i < PATIENTS; i++) {
            Thread t = new Thread(() -> patient(first), "patient-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() - until < 0) {
            day.tomorrow = new Day();
            day.open();
            while (day.left.get() < PATIENTS) {
                Thread.sleep(2);
            }
            day = day.tomorrow;
        }
        if (failed) {
            throw new IllegalStateException("three patients in two rooms");
        }
        System.out.println("DONE " + treated);
    }
}
