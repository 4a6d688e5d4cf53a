// @lock TideTables$Pier
// @type BARRIER parties=4
// @role arrive TideTables$Pier.meet
//
// @lock TideTables$Tide
// @type LATCH count=3
// @role count-down TideTables$Tide.gauged
// @role await TideTables$Tide.level

/** Four boats that go out together, again and again, and a tide table computed from three gauges for each turn of the tide. */
public class TideTables {
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

    /** Everybody waits for the object of the current turn to be replaced. */
    static class Pier {
        private static final class Turn {
            boolean over;
        }

        private Turn turn = new Turn();
        private int missing;
        private final int all;
        private final Runnable last;

        Pier(int all, Runnable last) {
            this.all = all;
            this.missing = all;
            this.last = last;
        }

        int meet() throws InterruptedException {
            synchronized (this) {
                Turn mine = turn;
                int index = --missing;
                if (index == 0) {
                    last.run();
                    mine.over = true;
                    turn = new Turn();
                    missing = all;
                    notifyAll();
                } else {
                    while (!mine.over)
                        wait();
                }
                return index;
            }
        }
    }

    static class Tide {
        private int outstanding = 3;
        private int highest;

        synchronized void gauged(int value) {
            if (outstanding == 0)
                throw new IllegalStateException("too many gauges");
            highest = Math.max(highest, value);
            if (--outstanding == 0)
                notifyAll();
        }

        synchronized int level() throws InterruptedException {
            while (outstanding != 0)
                wait();
            return highest;
        }
    }

    static class Gauge extends Thread {
        private final java.util.concurrent.ConcurrentLinkedQueue<Tide> tides = new java.util.concurrent.ConcurrentLinkedQueue<>();
        private final int offset;

        Gauge(int offset) {
            super("gauge-" + offset);
            this.offset = offset;
            setDaemon(true);
        }

        @Override
        public void run() {
            for (;;) {
                nap(rnd(1, 5));
                for (Tide t; (t = tides.poll()) != null;)
                    t.gauged(100 + offset);
            }
        }
    }

    static int trips;
    static final int[] sailed = new int[4];

    public static void main(String[] args) throws Exception {
        final Pier pier = new Pier(4, () -> {
            trips++;
            for (int s : sailed)
                check(s == trips, "a boat missed the trip");
        });
        for (int i = 0; i < 4; i++) {
            final int me = i;
            loop("boat-" + i, () -> {
                nap(rnd(1, 7));
                sailed[me]++;
                int index = pier.meet();
                check(index >= 0 && index < 4, "index");
            });
        }
        final Gauge[] gauges = {new Gauge(0), new Gauge(5), new Gauge(9)};
        for (Gauge g : gauges)
            g.start();
        for (int i = 0; i < 2; i++)
            loop("almanac-" + i, () -> {
                Tide t = new Tide();
                for (Gauge g : gauges)
                    g.tides.add(t);
                check(t.level() == 109, "table printed too early");
            });
        supervise(args);
    }
}
