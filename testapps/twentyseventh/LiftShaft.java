// @lock LiftShaft$Car
// @type CONDITION
// @role wait LiftShaft$Car.ride
// @role wait LiftShaft$Car.nextStop
// @role notify LiftShaft$Car.ride
// @role notify LiftShaft$Car.openAt
//
// @lock LiftShaft$Register
// @type PRODUCER-CONSUMER capacity=1 form=mailbox
// @role put LiftShaft$Register.write
// @role take LiftShaft$Register.read

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A lift controller: passengers press a button and wait for the doors; the car waits for buttons; a panel shows each stop. */
public class LiftShaft {
    static final int FLOORS = 6;
    static final AtomicLong rides = new AtomicLong();
    static volatile String fault;

    static final class Car {
        private int calls;
        private int floor;
        private final long[] openings = new long[FLOORS];

        /** Presses the button of a floor and waits until the doors open there. */
        synchronized void ride(int to) throws InterruptedException {
            long seen = openings[to];
            calls |= 1 << to;
            notifyAll();
            while (openings[to] == seen) {
                wait();
            }
        }

        synchronized int nextStop() throws InterruptedException {
            while (calls == 0) {
                wait();
            }
            int above = calls >>> floor;
            return above != 0 ? floor + Integer.numberOfTrailingZeros(above) : Integer.numberOfTrailingZeros(calls);
        }

        synchronized void openAt(int stop) {
            if ((calls & 1 << stop) == 0) {
                throw new IllegalStateException("nobody wants floor " + stop);
            }
            floor = stop;
            calls &= ~(1 << stop);
            openings[stop]++;
            notifyAll();
        }
    }

    /** The panel's data register: one word, with a full flag. */
    static final class Register {
        private int word;
        private boolean full;

        synchronized void write(int w) throws InterruptedException {
            while (full) {
                wait();
            }
            word = w;
            full = true;
            notify();
        }

        synchronized int read() throws InterruptedException {
            while (!full) {
                wait();
            }
            full = false;
            notify();
            return word;
        }
    }

    final Car car = new Car();
    final Register register = new Register();

    void controller() {
        try {
            int at = 0;
            int sequence = 0;
            for (;;) {
                int stop = car.nextStop();
                Thread.sleep(1 + Math.abs(stop - at));
                at = stop;
                car.openAt(stop);
                for (int word = 0; word < 3; word++) {      // floor, direction, doors
                    register.write(sequence++ << 4 | stop);
                }
            }
        } catch (InterruptedException | RuntimeException e) {
            fault = e.toString();
        }
    }

    void panel() {
        try {
            for (int expected = 0; ; expected++) {
                int w = register.read();
                if (w >> 4 != (expected & 0xfffffff)) {
                    fault = "panel lost a word: " + (w >> 4) + " for " + expected;
                }
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            fault = e.toString();
        }
    }

    void passenger() {
        try {
            for (;;) {
                car.ride(ThreadLocalRandom.current().nextInt(FLOORS));
                rides.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(5, 25));
            }
        } catch (InterruptedException e) {
            fault = e.toString();
        }
    }

    static void daemon(Runnable r, String name) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        LiftShaft shaft = new LiftShaft();
        daemon(shaft::controller, "controller");
        daemon(shaft::panel, "panel");
        for (int i = 0; i < 4; i++) {
            daemon(shaft::passenger, "passenger-" + i);
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + rides.get());
        System.exit(0);
    }
}
