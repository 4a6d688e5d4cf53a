// @lock WindFarm$Gauge
// @type CONDITION
// @role wait WindFarm$Gauge.awaitAbove
// @role wait WindFarm$Gauge.awaitBelow
// @role notify WindFarm$Gauge.report
//
// @lock WindFarm$Turbine
// @type DELAY
// @role delay WindFarm$Turbine.coast

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Turbines that wait for enough wind, a crane that waits for little, and a mast that reports how it blows. */
public class WindFarm {
    static final class Gauge {
        private double speed;
        private long reports;

        double awaitAbove(double limit) throws InterruptedException {
            synchronized (this) {
                while (!(speed > limit)) {
                    wait();
                }
                return speed;
            }
        }

        double awaitBelow(double limit) throws InterruptedException {
            synchronized (this) {
                while (!(speed < limit)) {
                    wait();
                }
                return speed;
            }
        }

        void report(double now) {
            synchronized (this) {
                speed = now;
                reports++;
                notifyAll();
            }
        }

        synchronized long reports() {
            return reports;
        }
    }

    static final class Turbine implements Runnable {
        private final Gauge gauge;
        private final double cutIn;
        private double produced;

        Turbine(Gauge gauge, double cutIn) {
            this.gauge = gauge;
            this.cutIn = cutIn;
        }

        /** Turns on without wind for a while. */
        private synchronized void coast(int millis) throws InterruptedException {
            long stop = System.currentTimeMillis() + millis;
            for (long left = millis; left > 0; left = stop - System.currentTimeMillis()) {
                wait(left);
            }
        }

        @Override
        public void run() {
            try {
                while (fault == null) {
                    double v = gauge.awaitAbove(cutIn);
                    if (v <= cutIn) {
                        fault = "started at " + v;
                    }
                    produced += v * v * v;
                    OPS.incrementAndGet();
                    coast(ThreadLocalRandom.current().nextInt(5, 13));
                }
            } catch (InterruptedException e) {
                fault = "turbine interrupted";
            }
        }
    }

    static final AtomicLong OPS = new AtomicLong();
    static volatile String fault;

    static void mast(Gauge gauge) {
        double v = 8;
        try {
            while (fault == null) {
                v = Math.max(1, Math.min(20, v + ThreadLocalRandom.current().nextDouble(-5, 5)));
                gauge.report(v);
                Thread.sleep(3);
            }
        } catch (InterruptedException e) {
            fault = "mast interrupted";
        }
    }

    static void crane(Gauge gauge) {
        try {
            while (fault == null) {
                double v = gauge.awaitBelow(6);
                if (v >= 6) {
                    fault = "lifted at " + v;
                }
                OPS.incrementAndGet();
                Thread.sleep(4);
            }
        } catch (InterruptedException e) {
            fault = "crane interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Gauge gauge = new Gauge();
        Thread[] crew = {
            new Thread(() -> mast(gauge), "mast"),
            new Thread(() -> crane(gauge), "crane"),
            new Thread(new Turbine(gauge, 9), "turbine-1"),
            new Thread(new Turbine(gauge, 11), "turbine-2"),
            new Thread(new Turbine(gauge, 13), "turbine-3"),
        };
        for (Thread t : crew) {
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (fault == null && System.nanoTime() < end) {
            Thread.sleep(100);
        }
        if (fault == null && gauge.reports() > 0) {
            System.out.println("DONE " + OPS);
        } else {
            System.out.println("FAULT " + fault);
            System.exit(1);
        }
    }
}
