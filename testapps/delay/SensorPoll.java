// @lock SensorPoll$Sensor
// @type DELAY
// @role delay SensorPoll$Sensor.rest

import java.util.concurrent.atomic.AtomicLong;

/** Sensors that sleep by a timed wait on themselves, the way it was done before anybody trusted Thread.sleep. */
public final class SensorPoll {
    private static final AtomicLong samples = new AtomicLong();
    private static volatile boolean early;

    static final class Sensor implements Runnable {
        private final long period;
        private double filtered;

        Sensor(long period) {
            this.period = period;
        }

        @Override
        public void run() {
            try {
                for (int tick = 0;; tick++) {
                    double raw = Math.sin(tick / 50.0);
                    filtered += 0.1 * (raw - filtered);
                    if (Math.abs(filtered) > 1) {
                        early = true;
                    }
                    samples.incrementAndGet();
                    rest();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private synchronized void rest() throws InterruptedException {
            wait(period);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long[] periods = {3, 4, 5, 7, 11};
        for (long p : periods) {
            Thread t = new Thread(new Sensor(p), "sensor-" + p + "ms");
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (early) {
            throw new IllegalStateException("a filter left its range");
        }
        System.out.println("DONE " + samples);
    }
}
