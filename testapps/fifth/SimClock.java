// @lock SimClock
// @type CONDITION
// @role wait SimClock.waitUntil
// @role notify SimClock.advance

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A simulation in which time is a number: vehicles wait for an instant of simulated time, and a clock thread moves it on. */
public class SimClock {
    private long now;
    private int watching;

    public synchronized long now() {
        return now;
    }

    public synchronized long waitUntil(long instant) throws InterruptedException {
        watching++;
        try {
            while (now < instant) {
                wait();
            }
        } finally {
            watching--;
        }
        return now;
    }

    public synchronized void advance(long by) {
        now += by;
        if (watching > 0) {
            notifyAll();
        }
    }

    static class Vehicle extends Thread {
        private final SimClock clock;

        Vehicle(int number, SimClock clock) {
            super("vehicle-" + number);
            this.clock = clock;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    long leg = clock.now() + ThreadLocalRandom.current().nextInt(1, 12);
                    if (clock.waitUntil(leg) < leg) {
                        early = true;
                    }
                    legs.incrementAndGet();
                    Thread.sleep(1);
                }
            } catch (InterruptedException e) {
                // the simulation is over
            }
        }
    }

    private static final AtomicLong legs = new AtomicLong();
    private static volatile boolean early;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        SimClock clock = new SimClock();
        for (int i = 0; i < 7; i++) {
            new Vehicle(i, clock).start();
        }
        Thread ticker = new Thread(() -> {
            try {
                while (true) {
                    Thread.sleep(2);
                    clock.advance(ThreadLocalRandom.current().nextInt(1, 4));
                }
            } catch (InterruptedException e) {
                return;
            }
        }, "clock");
        ticker.setDaemon(true);
        ticker.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (early || legs.get() == 0) {
            throw new IllegalStateException("a vehicle arrived before its time");
        }
        System.out.println("DONE " + legs);
    }
}
