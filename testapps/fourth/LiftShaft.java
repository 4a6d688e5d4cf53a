// @lock LiftShaft$Lift
// @type CONDITION
// @role wait LiftShaft$Lift.awaitStop
// @role notify LiftShaft$Lift.openDoors

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A lift that goes up and down by itself, and people who wait for it on a floor and, inside it, for another. */
public class LiftShaft {
    static class Lift {
        private int floor;
        private boolean doorsOpen;
        private long stops;

        synchronized void openDoors(int at) {
            floor = at;
            doorsOpen = true;
            stops++;
            notifyAll();
        }

        synchronized void closeDoors() {
            doorsOpen = false;
        }

        private boolean isStoppedAt(int wanted) {
            return doorsOpen && floor == wanted;
        }

        /** Returns the number of the stop. */
        synchronized long awaitStop(int wanted) throws InterruptedException {
            while (!isStoppedAt(wanted)) {
                wait();
            }
            return stops;
        }
    }

    static final int FLOORS = 4;
    static final AtomicLong rides = new AtomicLong();
    static final AtomicLong ghosts = new AtomicLong();

    static void passenger(Lift lift) {
        int here = 0;
        try {
            while (true) {
                int there = (here + ThreadLocalRandom.current().nextInt(1, FLOORS)) % FLOORS;
                long in = lift.awaitStop(here);
                long out = lift.awaitStop(there);
                if (out <= in) {
                    ghosts.incrementAndGet();
                }
                rides.incrementAndGet();
                here = there;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 12));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void engine(Lift lift) {
        try {
            for (int leg = 0;; leg++) {
                int step = leg % (2 * (FLOORS - 1));
                lift.openDoors(step < FLOORS ? step : 2 * (FLOORS - 1) - step);
                Thread.sleep(3);
                lift.closeDoors();
                Thread.sleep(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Lift lift = new Lift();
        for (int i = 0; i < 7; i++) {
            Thread t = i == 0 ? new Thread(() -> engine(lift), "engine") : new Thread(() -> passenger(lift), "passenger-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (ghosts.get() > 0 || rides.get() == 0) {
            throw new IllegalStateException(ghosts + " ghost rides");
        }
        System.out.println("DONE " + rides);
    }
}
