// @lock TideRace$Barrier
// @type BARRIER parties=3
// @role arrive TideRace$Barrier.doBarrier

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Boats sail leg after leg; the last one over the line runs the race committee's command, then all go on. */
public final class TideRace {
    static final class Barrier {
        private final int parties;
        private final Runnable command;
        private int count;
        private int resets;

        Barrier(int parties, Runnable command) {
            this.parties = parties;
            this.count = parties;
            this.command = command;
        }

        public int barrier() throws InterruptedException {
            return doBarrier(0);
        }

        private synchronized int doBarrier(long msecs) throws InterruptedException {
            int index = --count;
            if (index == 0) {
                count = parties;
                resets++;
                command.run();
                notifyAll();
                return 0;
            }
            int r = resets;
            do {
                wait(msecs);
            } while (r == resets);
            return index;
        }
    }

    static final class Leg {
        int number;
        int boats;
    }

    private final Leg leg = new Leg();
    private final AtomicLong legs = new AtomicLong();
    private final Barrier line = new Barrier(3, this::scored);
    private volatile String protest;

    private void scored() {
        leg.number++;
        leg.boats = 0;
        legs.incrementAndGet();
    }

    private void boat() {
        int mine = 0;
        try {
            while (protest == null) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 9));
                line.barrier();
                mine++;
                if (leg.number != mine) {
                    protest = "leg " + leg.number + " instead of " + mine;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        TideRace[] races = {new TideRace(), new TideRace()};
        for (TideRace race : races) {
            for (int i = 0; i < 3; i++) {
                Thread t = new Thread(race::boat, "boat-" + i);
                t.setDaemon(true);
                t.start();
            }
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        long sum = 0;
        for (TideRace race : races) {
            if (race.protest != null || race.legs.get() == 0) {
                throw new IllegalStateException("protest: " + race.protest);
            }
            sum += race.legs.get();
        }
        System.out.println("DONE " + sum);
    }
}
