// @lock KilnHouse$PowerBudget
// @type SEMAPHORE permits=6
// @role acquire KilnHouse$PowerBudget.draw
// @role release KilnHouse$PowerBudget.restore
//
// @lock java.lang.Object#awaitAtLeast
// @type CONDITION
// @role wait KilnHouse$Thermometer.awaitAtLeast
// @role wait KilnHouse$Thermometer.awaitBelow
// @role notify KilnHouse$Thermometer.reading

import java.util.*;

/** Kilns that share six kilowatts, one to three at a time, and potters who wait until a kiln is hot or has cooled down. */
public class KilnHouse {
    interface Job {
        void run() throws Exception;
    }

    static final java.util.concurrent.atomic.AtomicLong ops = new java.util.concurrent.atomic.AtomicLong();
    static volatile String broken;

    static void check(boolean ok, String what) {
        if (!ok)
            throw new IllegalStateException(what);
    }

    static int rnd(int from, int to) {
        return java.util.concurrent.ThreadLocalRandom.current().nextInt(from, to + 1);
    }

    static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void loop(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    job.run();
                    ops.incrementAndGet();
                }
            } catch (Exception e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void supervise(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> broken = t.getName() + ": " + e);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(50);
            still = ops.get() == seen ? still + 1 : 0;
            seen = ops.get();
            if (still > 100)
                broken = "nothing happens any more";
        }
        if (broken != null) {
            System.out.println("FAILED " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }

    static class PowerBudget {
        private int kilowatts;

        PowerBudget(int kilowatts) {
            this.kilowatts = kilowatts;
        }

        private boolean enough(int want) {
            return kilowatts - want >= 0;
        }

        synchronized void draw(int want) throws InterruptedException {
            while (!enough(want))
                wait();
            kilowatts -= want;
        }

        synchronized void restore(int given) {
            kilowatts += given;
            notifyAll();
        }
    }

    static class Thermometer {
        private final Object change = new Object();
        private int degrees = 20;
        private int highest;

        void reading(int now) {
            synchronized (change) {
                if (now == degrees)
                    return;
                degrees = now;
                highest = Math.max(highest, now);
                change.notifyAll();
            }
        }

        int awaitAtLeast(int wanted) throws InterruptedException {
            synchronized (change) {
                while (degrees < wanted)
                    change.wait();
                return degrees;
            }
        }

        int awaitBelow(int limit) throws InterruptedException {
            synchronized (change) {
                while (degrees >= limit)
                    change.wait(500);
                return degrees;
            }
        }
    }

    static class Kiln extends Thread {
        final Thermometer meter = new Thermometer();
        private final PowerBudget budget;
        private final int size;
        private static final java.util.concurrent.atomic.AtomicInteger drawn = new java.util.concurrent.atomic.AtomicInteger();

        Kiln(PowerBudget budget, int size) {
            super("kiln-" + size);
            this.budget = budget;
            this.size = size;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int heat = 20;;) {
                    budget.draw(size);
                    try {
                        check(drawn.addAndGet(size) <= 6, "fuse blown");
                        for (int i = 0; i < 3; i++) {
                            nap(rnd(1, 3));
                            heat += 60;
                            meter.reading(heat);
                        }
                        drawn.addAndGet(-size);
                    } finally {
                        budget.restore(size);
                    }
                    while (heat > 20) {
                        nap(1);
                        heat -= 60;
                        meter.reading(heat);
                    }
                    ops.incrementAndGet();
                }
            } catch (InterruptedException e) {
                broken = e.toString();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        PowerBudget budget = new PowerBudget(6);
        List<Kiln> kilns = new ArrayList<>();
        for (int size : new int[] {1, 2, 2, 3, 3}) {
            Kiln k = new Kiln(budget, size);
            kilns.add(k);
            k.start();
        }
        for (int i = 0; i < 4; i++) {
            final Thermometer m = kilns.get(i).meter;
            loop("potter-" + i, () -> {
                check(m.awaitAtLeast(140) >= 140, "cold");
                check(m.awaitBelow(80) < 80, "hot");
            });
        }
        supervise(args);
    }
}
