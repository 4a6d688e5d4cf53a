// @lock SluiceGate$Sluice
// @type SEMAPHORE permits=3
// @role acquire SluiceGate$Sluice.enter
// @role release SluiceGate$Sluice.leave
//
// @lock SluiceGate$Chart
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock SluiceGate$Chart.read
// @role read-unlock SluiceGate$Chart.done
// @role write-lock SluiceGate$Chart.write
// @role write-unlock SluiceGate$Chart.done

import java.util.*;

/** A sluice with three chambers, ships let in as they came, each waiting for a signal of its own; and a water chart. */
public class SluiceGate {
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

    static class Ship {
        final String name;
        private boolean signal;

        Ship(String name) {
            this.name = name;
        }
    }

    static class Sluice {
        private final Deque<Ship> roads = new ArrayDeque<>();
        private int chambers = 3;

        void enter(String name) throws InterruptedException {
            Ship ship;
            synchronized (this) {
                if (chambers > 0) {
                    chambers--;
                    return;
                }
                ship = new Ship(name);
                roads.addLast(ship);
            }
            synchronized (ship) {
                while (!ship.signal)
                    ship.wait();
            }
        }

        void leave() {
            Ship first;
            synchronized (this) {
                first = roads.pollFirst();
                if (first == null) {
                    chambers++;                            // nobody to hand it to
                    return;
                }
            }
            synchronized (first) {
                first.signal = true;
                first.notify();
            }
        }
    }

    /** Whoever writes first announces it; one way out for both kinds. */
    static class Chart {
        private final List<Thread> readers = new ArrayList<>();
        private Thread writer;
        private int announced;
        int level, copy;

        synchronized void read() throws InterruptedException {
            while (writer != null || announced > 0)
                wait();
            readers.add(Thread.currentThread());
        }

        synchronized void write() throws InterruptedException {
            announced++;
            while (writer != null || !readers.isEmpty())
                wait();
            announced--;
            writer = Thread.currentThread();
        }

        synchronized void done() {
            if (writer == Thread.currentThread())
                writer = null;
            else if (!readers.remove(Thread.currentThread()))
                throw new IllegalStateException("neither reads nor writes");
            notifyAll();
        }
    }

    public static void main(String[] args) throws Exception {
        final Sluice sluice = new Sluice();
        final Chart chart = new Chart();
        final java.util.concurrent.atomic.AtomicInteger inside = new java.util.concurrent.atomic.AtomicInteger();
        for (int i = 0; i < 6; i++)
            loop("ship-" + i, () -> {
                sluice.enter(Thread.currentThread().getName());
                try {
                    check(inside.incrementAndGet() <= 3, "four ships in three chambers");
                    nap(rnd(2, 7));
                    inside.decrementAndGet();
                } finally {
                    sluice.leave();
                }
                nap(rnd(1, 4));
            });
        for (int i = 0; i < 3; i++)
            loop("pilot-" + i, () -> {
                chart.read();
                try {
                    int l = chart.level;
                    nap(rnd(1, 3));
                    check(l == chart.copy && l == chart.level, "chart changed under a pilot");
                } finally {
                    chart.done();
                }
                nap(rnd(1, 4));
            });
        for (int i = 0; i < 2; i++)
            loop("hydrographer-" + i, () -> {
                chart.write();
                try {
                    chart.level++;
                    nap(1);
                    chart.copy++;
                } finally {
                    chart.done();
                }
                nap(rnd(4, 10));
            });
        supervise(args);
    }
}
