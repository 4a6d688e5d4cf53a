// @lock IntegrationRig$StartSignal
// @type LOCK reentrant=false
// @role lock IntegrationRig$StartSignal.await
// @role lock IntegrationRig$StartSignal.awaitFor
// @role unlock IntegrationRig$StartSignal.countDown
//
// @lock java.lang.Thread
// @type JOIN
// @role join java.lang.Thread.join

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A test rig for medical devices. StartSignal was a latch when the rig had one device; since then it is what keeps two testers
 * from using the serial line at a time, and nobody has renamed it.
 */
public class IntegrationRig {

    static class StartSignal {
        private static final long NOBODY = -1;
        private long user = NOBODY;

        synchronized void await() throws InterruptedException {
            long me = Thread.currentThread().getId();
            while (user != NOBODY)
                wait();
            user = me;
        }

        synchronized boolean awaitFor(long millis) throws InterruptedException {
            long me = Thread.currentThread().getId();
            if (user != NOBODY) {
                long end = System.currentTimeMillis() + millis;
                long left = millis;
                while (user != NOBODY && left > 0) {
                    wait(left);
                    left = end - System.currentTimeMillis();
                }
                if (user != NOBODY)
                    return false;
            }
            user = me;
            return true;
        }

        synchronized void countDown() {
            if (user != Thread.currentThread().getId())
                throw new IllegalMonitorStateException("line is used by " + user);
            user = NOBODY;
            notify();
        }
    }

    static final StartSignal line = new StartSignal();
    static final AtomicInteger talking = new AtomicInteger();
    static final AtomicLong tests = new AtomicLong(), refused = new AtomicLong();
    static volatile String defect;

    /** One command to the device, and its answer. */
    static void talk(int millis) throws InterruptedException {
        if (talking.incrementAndGet() != 1)
            defect = "two testers on the line";
        Thread.sleep(millis);
        talking.decrementAndGet();
    }

    static class Tester implements Runnable {
        private final int number;
        private final Random random;

        Tester(int number) {
            this.number = number;
            this.random = new Random(number);
        }

        public void run() {
            try {
                while (defect == null) {
                    measure();
                    selfTest();
                    Thread.sleep(1 + random.nextInt(4));
                }
            } catch (InterruptedException e) {
                defect = "tester " + number + " interrupted";
            }
        }

        private void measure() throws InterruptedException {
            if (number % 2 == 0) {
                line.await();
            } else if (!line.awaitFor(40)) {
                refused.incrementAndGet();
                return;
            }
            try {
                talk(2 + random.nextInt(4));
            } finally {
                line.countDown();
            }
            tests.incrementAndGet();
        }

        /** Runs on a thread of its own because the driver of the device likes to hang. */
        private void selfTest() throws InterruptedException {
            final int[] result = new int[1];
            final int pause = 2 + random.nextInt(5);
            Thread probe = new Thread(() -> {
                try {
                    Thread.sleep(pause);
                    result[0] = pause;
                } catch (InterruptedException e) {
                    result[0] = -1;
                }
            }, "probe-" + number);
            start(probe);
            while (probe.isAlive())
                probe.join(2000);
            if (result[0] != pause)
                defect = "self-test ended with " + result[0];
        }
    }

    private static void start(Thread t) {
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 5; i++)
            start(new Thread(new Tester(i), "tester-" + i));
        System.out.println("READY");
        for (int i = 0; i < seconds * 20 && defect == null; i++)
            Thread.sleep(50);
        if (defect != null) {
            System.out.println("DEFECT " + defect);
            System.exit(1);
        }
        System.out.println("DONE " + (tests.get() + refused.get()));
        System.exit(0);
    }
}
