// @lock GridPhases$Phaser
// @type BARRIER parties=4
// @role arrive GridPhases$Phaser.awaitAdvance

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A simulation in phases: four regions of a grid compute, and none begins a phase before all have ended the one before. */
public final class GridPhases {
    static final class Generation {
        boolean complete;
    }

    static final class Phaser {
        private final int parties;
        private int arrived;
        private Generation generation = new Generation();

        Phaser(int parties) {
            this.parties = parties;
        }

        public synchronized int awaitAdvance() throws InterruptedException {
            Generation mine = generation;
            int index = arrived++;
            if (arrived == parties) {
                mine.complete = true;
                generation = new Generation();
                arrived = 0;
                notifyAll();
                return index;
            }
            while (!mine.complete) {
                wait();
            }
            return index;
        }
    }

    private final Phaser phaser = new Phaser(4);
    private final AtomicIntegerArray phase = new AtomicIntegerArray(4);
    private volatile boolean last;
    private volatile int end = Integer.MAX_VALUE;
    private volatile String fault;

    private void region(int me) {
        try {
            for (int p = 0; p < end; p++) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
                phase.set(me, p + 1);
                if (phaser.awaitAdvance() == 3 && last && end == Integer.MAX_VALUE) {
                    end = p + 3;
                }
                for (int i = 0; i < 4; i++) {
                    int other = phase.get(i);
                    if (other < p + 1 || other > p + 2) {
                        fault = "region " + i + " at " + other + " while " + me + " left " + p;
                    }
                }
            }
        } catch (InterruptedException e) {
            fault = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        GridPhases grid = new GridPhases();
        Thread[] regions = new Thread[4];
        for (int i = 0; i < regions.length; i++) {
            int me = i;
            regions[i] = new Thread(() -> grid.region(me), "region-" + i);
            regions[i].setDaemon(true);
            regions[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        grid.last = true;
        for (Thread t : regions) {
            t.join(5_000);
            if (t.isAlive()) {
                throw new IllegalStateException(t.getName() + " never left the barrier");
            }
        }
        if (grid.fault != null) {
            throw new IllegalStateException(grid.fault);
        }
        System.out.println("DONE " + grid.phase.get(0));
    }
}
