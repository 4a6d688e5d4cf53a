// Weather kept by version for whoever wants newer, and a wind that must blow before mills may turn.
// @lock Isobar$Chart
// @type CONDITION
// @role wait Isobar$Chart.newerThan
// @role notify Isobar$Chart.draw
// @lock java.lang.Object#turnWhenBlowing
// @type CONDITION form=resettable-event
// @role wait Isobar$Wind.turnWhenBlowing
// @role notify Isobar$Wind.rise
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Isobar {
    static volatile String broken;
    static final AtomicLong OPS = new AtomicLong();

    static final class Chart {
        private long version;
        private double pressure = 1013;

        synchronized void draw(double p) {
            pressure = p;
            version++;
            notifyAll();
        }

        synchronized long newerThan(long seen) throws InterruptedException {
            while (version <= seen) {
                wait();
            }
            if (pressure < 900 || pressure > 1100) {
                broken = "impossible pressure";
            }
            return version;
        }
    }

    static final class Wind {
        private final Object air = new Object();
        private boolean blowing;
        private int gusts;

        void rise() {
            synchronized (air) {
                blowing = true;
                gusts++;
                air.notifyAll();
            }
        }

        void fall() {
            synchronized (air) {
                blowing = false;
            }
        }

        int turnWhenBlowing() throws InterruptedException {
            synchronized (air) {
                while (!blowing) {
                    air.wait();
                }
                return gusts;
            }
        }
    }

    static final class Reader implements Step {
        private final Chart chart;
        private long seen;

        Reader(Chart chart) {
            this.chart = chart;
        }

        @Override
        public void go() throws InterruptedException {
            long v = chart.newerThan(seen);
            if (v <= seen) {
                broken = "an old chart";
            }
            seen = v;
            OPS.incrementAndGet();
            nap(1, 6);
        }
    }

    static void mill(Wind w) throws InterruptedException {
        if (w.turnWhenBlowing() < 1) {
            broken = "turned without wind";
        }
        OPS.incrementAndGet();
        nap(3, 6);
    }

    static void weather(Wind w) throws InterruptedException {
        nap(5, 12);
        w.rise();
        nap(5, 12);
        w.fall();
    }

    public static void main(String[] args) throws InterruptedException {
        Chart c = new Chart();
        Wind w = new Wind();
        for (int i = 0; i < 3; i++) {
            crew("reader-" + i, new Reader(c));
            crew("mill-" + i, () -> mill(w));
        }
        crew("drawer", () -> {
            c.draw(ThreadLocalRandom.current().nextDouble(950, 1050));
            nap(3, 10);
        });
        crew("weather", () -> weather(w));
        watch(args);
    }

    interface Step {
        void go() throws InterruptedException;
    }

    static void crew(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.go();
                }
            } catch (InterruptedException e) {
                broken = name + " interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void watch(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.currentTimeMillis() + (args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
    }
}
