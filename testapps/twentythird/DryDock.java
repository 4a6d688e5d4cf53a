// @lock DryDock
// @type SEMAPHORE+PRODUCER-CONSUMER permits=2 capacity=unbounded
// @role acquire DryDock.dock
// @role release DryDock.undock
// @role put DryDock.report
// @role take DryDock.nextReport
//
// @lock DryDock$Pump
// @type MUTEX
// @role enter DryDock$Pump.pump

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A yard whose monitor both hands out two docks and carries the reports of the divers to the office. */
public class DryDock {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    private final ArrayDeque<String> reports = new ArrayDeque<>();
    private int docked;

    synchronized void dock() throws InterruptedException {
        while (docked >= 2) {
            wait();
        }
        docked++;
    }

    synchronized void undock() {
        docked--;
        notifyAll();
    }

    synchronized void report(String text) {
        reports.add(text);
        notifyAll();
    }

    synchronized String nextReport() throws InterruptedException {
        String text;
        while ((text = reports.poll()) == null) {
            wait();
        }
        return text;
    }

    static class Pump {
        private static final Pump ONLY = new Pump();
        private int water;

        static void pump(int litres) throws InterruptedException {
            synchronized (ONLY) {
                ONLY.water += litres;
                nap(1, 3);
                ONLY.water -= litres;
                check(ONLY.water == 0, "two crews pumped at once");
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        DryDock yard = new DryDock();
        AtomicInteger docked = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            loop("ship-" + i, () -> {
                yard.dock();
                check(docked.incrementAndGet() <= 2, "three ships in two docks");
                nap(2, 6);
                docked.decrementAndGet();
                yard.undock();
                Pump.pump(10);
                nap(1, 4);
            });
        }
        AtomicLong written = new AtomicLong();
        AtomicLong read = new AtomicLong();
        for (int i = 0; i < 2; i++) {
            loop("diver-" + i, () -> {
                nap(5, 14);
                written.incrementAndGet();
                yard.report("hull");
            });
        }
        loop("office", () -> {
            check(yard.nextReport().equals("hull"), "no such report");
            check(read.incrementAndGet() <= written.get(), "a report from nowhere");
            nap(1, 2);
        });
        finish(args);
    }
}
