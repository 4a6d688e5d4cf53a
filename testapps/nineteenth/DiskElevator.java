// The driver of an old disk: requests wait until the arm, which sweeps to and fro, is over their cylinder, and then transfer. The
// arm needs a while from one cylinder to the next and counts that time with a timed wait on its motor.
//
// @lock DiskElevator$Arm
// @type CONDITION
// @role wait DiskElevator$Arm.ride
// @role notify DiskElevator$Arm.moveTo
//
// @lock DiskElevator$Motor
// @type DELAY
// @role delay DiskElevator$Motor.step

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class DiskElevator {
    static final int CYLINDERS = 6;
    static final AtomicLong transfers = new AtomicLong();
    static volatile String broken;

    static class Arm {
        private final int[] wanted = new int[CYLINDERS];
        private int position;
        private long sweeps;

        /** Waits for the arm; returns the sweep on which it came. */
        synchronized long ride(int cylinder) throws InterruptedException {
            wanted[cylinder]++;
            while (position != cylinder) {
                wait();
            }
            wanted[cylinder]--;
            if (wanted[cylinder] < 0) {
                broken = "cylinder served too often";
            }
            return sweeps;
        }

        synchronized void moveTo(int cylinder) {
            if (Math.abs(cylinder - position) > 1) {
                broken = "the arm has jumped";
            }
            position = cylinder;
            if (cylinder == 0) {
                sweeps++;
            }
            if (wanted[cylinder] > 0) {
                notifyAll();
            }
        }
    }

    static class Motor {
        private final int millis;
        private int steps;

        Motor(int millis) {
            this.millis = millis;
        }

        int step() throws InterruptedException {
            synchronized (this) {
                long t0 = System.nanoTime();
                do {
                    wait(millis);
                } while (System.nanoTime() - t0 < millis * 900_000L);
                return ++steps;
            }
        }
    }

    static class ArmThread extends Thread {
        private final Arm arm;
        private final Motor motor = new Motor(5);

        ArmThread(Arm arm) {
            super("arm");
            this.arm = arm;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                int at = 0;
                int direction = 1;
                while (true) {
                    motor.step();
                    if (at + direction < 0 || at + direction >= CYLINDERS) {
                        direction = -direction;
                    }
                    at += direction;
                    arm.moveTo(at);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Arm arm = new Arm();
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(() -> {
                try {
                    long last = 0;
                    while (true) {
                        long sweep = arm.ride(ThreadLocalRandom.current().nextInt(CYLINDERS));
                        if (sweep < last) {
                            broken = "time runs backwards";
                        }
                        last = sweep;
                        Thread.sleep(3);
                        transfers.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "request-" + i);
            t.setDaemon(true);
            t.start();
        }
        new ArmThread(arm).start();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + transfers.get());
        System.exit(broken != null ? 1 : 0);
    }
}
