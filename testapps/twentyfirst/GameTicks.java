// @lock GameTicks$TickGate
// @type BARRIER parties=4
// @role arrive GameTicks$TickGate.awaitTick
//
// @lock GameTicks$Scoreboard
// @type MUTEX
// @role enter GameTicks$Scoreboard.move
// @role enter GameTicks$Scoreboard.total

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** The world of a games server: four regions are simulated in step, all of them book points on one scoreboard. */
public class GameTicks {

    /** All region threads meet here at the end of each tick. */
    static final class TickGate {
        private final int regions;
        private int missing;
        private long tick;

        TickGate(int regions) {
            this.regions = regions;
            this.missing = regions;
        }

        /** @return the number of the tick that has just been completed */
        synchronized long awaitTick() throws InterruptedException {
            final long mine = tick;
            missing--;
            if (missing == 0) {
                missing = regions;
                tick++;
                notifyAll();
                return mine;
            }
            while (tick == mine) {
                wait();
            }
            return mine;
        }
    }

    /** Points of all players; points only ever move from one player to another. */
    static final class Scoreboard {
        private final int[] points;

        Scoreboard(int players, int each) {
            points = new int[players];
            for (int i = 0; i < players; i++) {
                points[i] = each;
            }
        }

        synchronized void move(int from, int to, int amount) throws InterruptedException {
            points[from] -= amount;
            Thread.sleep(1); // the journal is flushed before the other half is booked
            points[to] += amount;
        }

        synchronized long total() {
            long sum = 0;
            for (int p : points) {
                sum += p;
            }
            return sum;
        }
    }

    static final int REGIONS = 4;
    static final int PLAYERS = 40;

    static final TickGate GATE = new TickGate(REGIONS);
    static final Scoreboard SCORES = new Scoreboard(PLAYERS, 100);
    static final AtomicLong OPS = new AtomicLong();
    static final AtomicReference<String> BROKEN = new AtomicReference<>();

    static final class Region extends Thread {
        private long ticks;

        Region(int number) {
            super("region-" + number);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    simulate();
                    long t = GATE.awaitTick();
                    if (t != ticks) {
                        BROKEN.set(getName() + " is at tick " + ticks + ", the world at " + t);
                    }
                    ticks++;
                    OPS.incrementAndGet();
                }
            } catch (InterruptedException e) {
                BROKEN.set("interrupted: " + getName());
            }
        }

        private void simulate() throws InterruptedException {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            SCORES.move(r.nextInt(PLAYERS), r.nextInt(PLAYERS), r.nextInt(5));
            Thread.sleep(2 + r.nextInt(8));
        }
    }

    static final class HeadUpDisplay extends Thread {
        HeadUpDisplay() {
            super("hud");
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    long sum = SCORES.total();
                    if (sum != 100L * PLAYERS) {
                        BROKEN.set("points on the board: " + sum);
                    }
                    Thread.sleep(5);
                }
            } catch (InterruptedException e) {
                BROKEN.set("hud interrupted");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < REGIONS; i++) {
            new Region(i).start();
        }
        new HeadUpDisplay().start();
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && BROKEN.get() == null) {
            Thread.sleep(50);
        }
        if (BROKEN.get() != null || OPS.get() == 0) {
            System.out.println("BROKEN " + BROKEN.get());
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }
}
