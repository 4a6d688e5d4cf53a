// @lock TowerLift$Cabin
// @type CONDITION
// @role wait TowerLift$Cabin.call
// @role wait TowerLift$Cabin.nextStop
// @role wait TowerLift$Cabin.ride
// @role notify TowerLift$Cabin.call
// @role notify TowerLift$Cabin.ride
// @role notify TowerLift$Cabin.openDoors
// @lock java.lang.Class#log
// @type MUTEX
// @role enter TowerLift$Logbook.log
// @role enter TowerLift$Logbook.audit

import java.util.concurrent.ThreadLocalRandom;

/** A lift in an office tower: people press a button, wait for the doors, ride and get off. */
public class TowerLift {
    static final int FLOORS = 5;
    static volatile String wrong;
    static volatile long rides;

    static class Cabin {
        private final boolean[] pressed = new boolean[FLOORS];
        private int floor;
        private boolean open;
        private int aboard;
        private int step = 1;

        private boolean here(int f) {
            return open && floor == f;
        }

        synchronized void call(int f) throws InterruptedException {
            while (!here(f)) {
                if (!pressed[f]) {
                    pressed[f] = true;
                    notifyAll();
                }
                wait();
            }
            aboard++;
        }

        synchronized void ride(int to) throws InterruptedException {
            while (!here(to)) {
                if (!pressed[to]) {
                    pressed[to] = true;
                    notifyAll();
                }
                wait();
            }
            if (--aboard < 0) {
                wrong = "more people left than entered";
            }
        }

        /** Closes the doors, waits until some button is lit, and says which floor comes next. */
        synchronized int nextStop() throws InterruptedException {
            open = false;
            for (;;) {
                for (int turn = 0; turn < 2; turn++) {
                    for (int f = floor + step; f >= 0 && f < FLOORS; f += step) {
                        if (pressed[f]) {
                            return f;
                        }
                    }
                    step = -step;
                }
                if (pressed[floor]) {
                    return floor;
                }
                wait();
            }
        }

        synchronized void openDoors(int f) {
            floor = f;
            open = true;
            pressed[f] = false;
            notifyAll();
        }
    }

    static class Logbook {
        private static int lines;
        private static int check;

        static synchronized void log(int from, int to) throws InterruptedException {
            lines++;
            Thread.sleep(1);
            check++;
            rides = lines;
            if (from == to) {
                wrong = "ride to nowhere";
            }
        }

        static synchronized boolean audit() {
            return lines == check;
        }
    }

    static void passenger(Cabin cabin) {
        int at = 0;
        ThreadLocalRandom r = ThreadLocalRandom.current();
        try {
            while (true) {
                int to = (at + r.nextInt(1, FLOORS)) % FLOORS;
                cabin.call(at);
                cabin.ride(to);
                Logbook.log(at, to);
                at = to;
                Thread.sleep(r.nextInt(1, 8));
            }
        } catch (InterruptedException e) {
            wrong = "passenger stuck";
        }
    }

    static void drive(Cabin cabin) {
        try {
            while (true) {
                int f = cabin.nextStop();
                Thread.sleep(1);
                cabin.openDoors(f);
                Thread.sleep(2);
            }
        } catch (InterruptedException e) {
            wrong = "lift stuck";
        }
    }

    static void spawn(String name, Runnable r) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Cabin cabin = new Cabin();
        for (int i = 0; i < 7; i++) {
            spawn("passenger-" + i, () -> passenger(cabin));
        }
        spawn("lift", () -> drive(cabin));
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && wrong == null) {
            Thread.sleep(10);
            if (!Logbook.audit()) {
                wrong = "logbook torn";
            }
        }
        if (wrong != null) {
            System.out.println(wrong);
            System.exit(1);
        }
        System.out.println("DONE " + rides);
    }
}
