// The car park of Magee and Kramer with a display at the road that follows every change of the number of free places.
// @lock CarPark$Control
// @type SEMAPHORE+CONDITION permits=4
// @role acquire CarPark$Control.arrive
// @role release CarPark$Control.depart
// @role wait CarPark$Control.awaitChange
// @role notify CarPark$Control.arrive
// @role notify CarPark$Control.depart
// @lock CarPark$Lamp
// @type DELAY
// @role delay CarPark$Lamp.glow

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class CarPark {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    static final class Control {
        private final int capacity;
        private int spaces;
        private int changes;

        Control(int capacity) {
            this.capacity = capacity;
            spaces = capacity;
        }

        synchronized void arrive() throws InterruptedException {
            while (spaces == 0) {
                wait();
            }
            --spaces;
            changes++;
            notifyAll();
        }

        synchronized void depart() {
            ++spaces;
            changes++;
            notifyAll();
        }

        /** Waits until something is new; returns the free places and the number of the change. */
        synchronized int[] awaitChange(int seen) throws InterruptedException {
            while (changes == seen) {
                wait();
            }
            check(spaces >= 0 && spaces <= capacity, "spaces " + spaces);
            return new int[] {spaces, changes};
        }
    }

    /** A filament that takes a while to light up. */
    static final class Lamp {
        private long glowed;

        void glow(long ms) throws InterruptedException {
            synchronized (this) {
                long start = System.nanoTime();
                long left = ms;
                do {
                    wait(left);
                    left = ms - (System.nanoTime() - start) / 1_000_000L;
                } while (left > 0);
                glowed += ms;
            }
        }
    }

    static final class Display implements Step {
        private final Control control;
        private final Lamp lamp;
        private int seen;

        Display(Control control, Lamp lamp) {
            this.control = control;
            this.lamp = lamp;
        }

        @Override
        public void once() throws InterruptedException {
            int[] now = control.awaitChange(seen);
            check(now[1] > seen, "change " + now[1] + " after " + seen);
            seen = now[1];
            lamp.glow(2 + now[0]);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Control control = new Control(4);
        Lamp lamp = new Lamp();
        AtomicInteger parked = new AtomicInteger();
        for (int i = 0; i < 7; i++) {
            go("car-" + i, () -> {
                control.arrive();
                check(parked.incrementAndGet() <= 4, "more cars than places");
                nap(14);
                parked.decrementAndGet();
                control.depart();
                OPS.incrementAndGet();
                nap(7);
            });
        }
        go("display-north", new Display(control, lamp));
        go("display-south", new Display(control, lamp));
        finish(args);
    }
}
