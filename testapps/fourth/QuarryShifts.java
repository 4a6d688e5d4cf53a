// @lock QuarryShifts$DigShift
// @type JOIN
// @role join QuarryShifts$Shift.awaitEnd

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A quarry: every shift is a thread, and the foreman waits for its end, though with a little patience only. */
public class QuarryShifts {
    abstract static class Shift extends Thread {
        Shift(String name) {
            super(name);
            setDaemon(true);
        }

        /** True when the thread has ended, false when the time was up. */
        synchronized boolean awaitEnd(long millis) throws InterruptedException {
            final long deadline = System.currentTimeMillis() + millis;
            long left = millis;
            while (isAlive() && left > 0) {
                wait(left);
                left = deadline - System.currentTimeMillis();
            }
            return !isAlive();
        }
    }

    static class DigShift extends Shift {
        private int stones;

        DigShift(int quarry) {
            super("dig-" + quarry);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < 3; i++) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    stones++;
                }
            } catch (InterruptedException e) {
                stones = -1;
            }
        }
    }

    private static final AtomicLong shifts = new AtomicLong();
    private static final AtomicLong late = new AtomicLong();
    private static volatile boolean cheated;

    private static void foreman(int quarry) {
        try {
            while (true) {
                DigShift first = new DigShift(quarry);
                DigShift second = new DigShift(quarry);
                first.start();
                second.start();
                for (DigShift shift : new DigShift[] {first, second}) {
                    while (!shift.awaitEnd(40)) {
                        late.incrementAndGet();
                    }
                    if (shift.stones != 3) {
                        cheated = true;
                    }
                    shifts.incrementAndGet();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            int quarry = i;
            Thread t = new Thread(() -> foreman(quarry), "foreman-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (cheated) {
            throw new IllegalStateException("a shift was paid before its end");
        }
        System.out.println("DONE " + shifts);
    }
}
