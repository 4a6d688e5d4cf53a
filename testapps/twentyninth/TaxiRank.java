// @lock TaxiRank$Stands
// @type SEMAPHORE permits=5
// @role acquire TaxiRank$Stands.claim
// @role acquire TaxiRank$Stands.claimWithin
// @role release TaxiRank$Stands.vacate
// @lock TaxiRank$Pulse
// @type DELAY
// @role delay TaxiRank$Board.rest

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Five stands at the station, one bit each; eight taxis; some give up and drive round the block. */
public class TaxiRank {
    private static final int STANDS = 5;

    static class Stands {
        private int vacant = (1 << STANDS) - 1;

        synchronized int claim() throws InterruptedException {
            while (vacant == 0) {
                wait();
            }
            return pick();
        }

        /** @return the stand, or -1 if none fell vacant in time */
        synchronized int claimWithin(long millis) throws InterruptedException {
            final long end = System.nanoTime() + millis * 1000000L;
            while (vacant == 0) {
                long left = (end - System.nanoTime() + 999999L) / 1000000L;
                if (left <= 0) {
                    return -1;
                }
                wait(left);
            }
            return pick();
        }

        private int pick() {
            int bit = Integer.lowestOneBit(vacant);
            vacant &= ~bit;
            return Integer.numberOfTrailingZeros(bit);
        }

        synchronized void vacate(int stand) {
            int bit = 1 << stand;
            if ((vacant & bit) != 0) {
                throw new IllegalStateException("stand " + stand + " vacated twice");
            }
            vacant |= bit;
            notifyAll();
        }
    }

    /** Nothing ever happens to it; whoever wants to let time pass does so here. */
    static class Pulse {
    }

    /** The boards that are redrawn now and then. */
    static class Board extends Thread {
        private final Pulse pulse;
        private int redrawn;

        Board(String name, Pulse pulse) {
            super(name);
            this.pulse = pulse;
            setDaemon(true);
        }

        private void rest(int millis) throws InterruptedException {
            synchronized (pulse) {
                long end = System.currentTimeMillis() + millis;
                for (long left = millis; left > 0; left = Math.min(millis, end - System.currentTimeMillis())) {
                    pulse.wait(left);
                }
            }
        }

        @Override
        public void run() {
            try {
                while (broken == null) {
                    int sum = 0;
                    for (int i = 0; i < STANDS; i++) {
                        sum += parked.get(i);
                    }
                    if (sum < 0 || sum > STANDS) {
                        broken = "board shows " + sum;
                    }
                    redrawn++;
                    rest(ThreadLocalRandom.current().nextInt(8, 16));
                }
            } catch (InterruptedException e) {
                broken = "board switched off after " + redrawn;
            }
        }
    }

    private static final AtomicIntegerArray parked = new AtomicIntegerArray(STANDS);
    private static final AtomicLong fares = new AtomicLong();
    private static volatile String broken;

    private static void drive(Stands stands, boolean patient) {
        try {
            ThreadLocalRandom dice = ThreadLocalRandom.current();
            while (broken == null) {
                int s = patient ? stands.claim() : stands.claimWithin(5);
                if (s < 0) {
                    Thread.sleep(4);
                    continue;
                }
                if (!parked.compareAndSet(s, 0, 1)) {
                    broken = "two taxis on stand " + s;
                }
                Thread.sleep(dice.nextInt(3, 11));
                parked.set(s, 0);
                stands.vacate(s);
                fares.incrementAndGet();
                Thread.sleep(dice.nextInt(1, 5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            broken = e.toString();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length == 0 ? 600 : Integer.parseInt(args[0]);
        final Stands stands = new Stands();
        for (int i = 0; i < 8; i++) {
            final boolean patient = i % 3 != 0;
            Thread t = new Thread(() -> drive(stands, patient), "taxi-" + i);
            t.setDaemon(true);
            t.start();
        }
        Pulse pulse = new Pulse();
        new Board("arrivals", pulse).start();
        new Board("departures", pulse).start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000L);
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + fares.get());
    }
}
