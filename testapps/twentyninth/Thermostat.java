// @lock Thermostat$Probe
// @type CONDITION
// @role wait Thermostat$Probe.awaitAbove
// @role wait Thermostat$Probe.awaitBelow
// @role notify Thermostat$Probe.measured
// @lock java.lang.Class#log
// @type MUTEX
// @role enter Thermostat.log

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A kiln heats and cools; alarms, each with limits of its own, wait for the temperature to pass them. */
public class Thermostat {

    static class Probe {
        private int degrees = 20;
        private long stamp;

        synchronized void measured(int now) {
            if (now != degrees) {
                degrees = now;
                stamp++;
                notifyAll();
            }
        }

        synchronized int awaitAbove(int limit) throws InterruptedException {
            while (degrees <= limit) {
                wait();
            }
            return degrees;
        }

        synchronized int awaitBelow(int limit) throws InterruptedException {
            for (;;) {
                if (degrees < limit) {
                    return degrees;
                }
                wait();
            }
        }
    }

    static volatile boolean stop;
    static volatile String defect;
    static final AtomicLong alarms = new AtomicLong();
    private static long lines;
    private static long characters;

    static synchronized void log(String line) throws InterruptedException {
        long c = characters;
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
        if (characters != c) {
            defect = "two writers";
        }
        characters = c + line.length();
        lines++;
    }

    static class Kiln extends Thread {
        private final Probe probe;

        Kiln(Probe probe) {
            super("kiln");
            this.probe = probe;
        }

        @Override
        public void run() {
            int degrees = 20;
            int slope = 4;
            try {
                while (!stop) {
                    degrees += slope;
                    if (degrees >= 60 || degrees <= 16) {
                        slope = -slope;
                    }
                    probe.measured(degrees);
                    Thread.sleep(3);
                }
            } catch (InterruptedException e) {
                defect = "kiln went out";
            }
        }
    }

    static class Alarm extends Thread {
        private final Probe probe;
        private final int high;
        private final int low;

        Alarm(Probe probe, int high, int low) {
            super("alarm-" + high);
            this.probe = probe;
            this.high = high;
            this.low = low;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!stop) {
                    int d = probe.awaitAbove(high);
                    if (d <= high) {
                        defect = "not hot: " + d;
                    }
                    log("hot " + d);
                    d = probe.awaitBelow(low);
                    if (d >= low) {
                        defect = "not cold: " + d;
                    }
                    log("cold " + d);
                    alarms.incrementAndGet();
                }
            } catch (InterruptedException e) {
                // the kiln is out, nothing more to wait for
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Probe probe = new Probe();
        Kiln kiln = new Kiln(probe);
        Alarm[] all = new Alarm[4];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Alarm(probe, 40 + 2 * (i % 3), 30);
            all[i].start();
        }
        kiln.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000L);
        stop = true;
        kiln.join();
        for (Alarm a : all) {
            a.interrupt();
        }
        for (Alarm a : all) {
            a.join();
        }
        if (defect != null) {
            System.out.println(defect);
            System.exit(1);
        }
        System.out.println("DONE " + alarms);
    }
}
