// @lock java.lang.Class#transfer
// @type MUTEX
// @role enter I2cBus.transfer
// @role enter I2cBus.reset

import java.util.Random;

/**
 * A two-wire bus with three chips on it, as a driver library of 2001 would have it: everything static, and
 * synchronized on the class, because there is only one bus.
 */
public class I2cBus {
    private static final int IDLE = -1;
    private static int address = IDLE;
    private static final int[][] registers = new int[3][8];
    private static int resets;
    private static long transfers;

    static volatile String fault;

    private I2cBus() {
    }

    /** Writes a register and reads its old value in the same transaction. */
    static synchronized int transfer(int chip, int register, int value) {
        start(chip);
        int old = registers[chip][register];
        clock(register);
        registers[chip][register] = value;
        stop(chip);
        transfers++;
        return old;
    }

    static synchronized int reset() {
        start(0x7f);
        stop(0x7f);
        return ++resets;
    }

    private static void start(int chip) {
        if (address != IDLE) {
            fault = "start on a busy bus: " + address;
        }
        address = chip;
    }

    private static void clock(int register) {
        if (register % 2 == 0) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void stop(int chip) {
        if (address != chip) {
            fault = "somebody else's transaction: " + address;
        }
        address = IDLE;
    }

    /** The driver of one chip. */
    private static final class Driver extends Thread {
        private final int chip;
        private final int register;
        private final Random random;
        volatile boolean unloaded;

        Driver(int chip, int register) {
            super("chip-" + chip + "." + register);
            this.chip = chip;
            this.register = register;
            random = new Random(chip * 31 + register);
        }

        public void run() {
            int expected = 0;
            while (!unloaded) {
                int next = random.nextInt(256);
                if (transfer(chip, register, next) != expected) {
                    fault = getName() + " did not read back what it wrote";
                }
                expected = next;
                if (random.nextInt(50) == 0) {
                    reset();
                }
                try {
                    sleep(random.nextInt(4));
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Driver[] drivers = new Driver[6];
        for (int i = 0; i < drivers.length; i++) {
            drivers[i] = new Driver(i % 3, i);
            drivers[i].start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        for (int i = 0; i < drivers.length; i++) {
            drivers[i].unloaded = true;
        }
        for (int i = 0; i < drivers.length; i++) {
            drivers[i].join();
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + transfers);
    }
}
