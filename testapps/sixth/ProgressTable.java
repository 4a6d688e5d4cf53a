// @lock ProgressTable$Table
// @type BARRIER parties=5
// @role arrive ProgressTable$Table.reached

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Five particle simulations that keep the same simulated time: everybody's step is in a table, nobody is a step ahead. */
public class ProgressTable {
    static class Table {
        private final int[] step;

        Table(int parties) {
            step = new int[parties];
        }

        private int slowest() {
            int min = step[0];
            for (int s : step) {
                min = Math.min(min, s);
            }
            return min;
        }

        synchronized void reached(int who) throws InterruptedException {
            int mine = ++step[who];
            if (slowest() == mine) {
                notifyAll();
            }
            while (slowest() < mine) {
                wait();
            }
        }
    }

    static final int PARTIES = 5;

    final Table table = new Table(PARTIES);
    final AtomicIntegerArray clock = new AtomicIntegerArray(PARTIES);
    final AtomicLong steps = new AtomicLong();
    volatile String fault;

    void simulate(int who) {
        double x = who;
        double v = 1;
        try {
            for (int t = 1; fault == null; t++) {
                for (int i = 0; i < 500; i++) {
                    v -= x * 0.001;
                    x += v * 0.001;
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(4));
                clock.set(who, t);
                table.reached(who);
                for (int i = 0; i < PARTIES; i++) {
                    if (Math.abs(clock.get(i) - t) > 1 || clock.get(i) < t) {
                        fault = i + " is at " + clock.get(i) + ", not at " + t;
                    }
                }
                steps.incrementAndGet();
            }
        } catch (InterruptedException e) {
            fault = "interrupted at " + x;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ProgressTable world = new ProgressTable();
        for (int i = 0; i < PARTIES; i++) {
            int who = i;
            Thread t = new Thread(() -> world.simulate(who), "particle-" + who);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (world.fault != null) {
            throw new IllegalStateException(world.fault);
        }
        System.out.println("DONE " + world.steps);
    }
}
