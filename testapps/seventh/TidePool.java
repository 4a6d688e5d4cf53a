// @lock TidePool$Meeting
// @type BARRIER parties=5
// @role arrive TidePool$Meeting.meet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Five species in a tide pool, a generation at a time; the meeting point breaks for everybody if one does not come. */
public final class TidePool {
    /** What the generation is, is the identity of an object. */
    static final class Meeting {
        private static final class Generation {
            private boolean broken;
        }

        private final int parties;
        private int missing;
        private Generation generation = new Generation();

        Meeting(int parties) {
            this.parties = parties;
            this.missing = parties;
        }

        private void next() {
            missing = parties;
            generation = new Generation();
            notifyAll();
        }

        private void fail() {
            generation.broken = true;
            missing = parties;
            notifyAll();
        }

        synchronized int meet(long millis) throws InterruptedException, TimeoutException {
            Generation mine = generation;
            if (mine.broken) {
                throw new IllegalStateException("broken");
            }
            int index = --missing;
            if (index == 0) {
                next();
                return 0;
            }
            long deadline = System.currentTimeMillis() + millis;
            while (mine == generation && !mine.broken) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    fail();
                    throw new TimeoutException();
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    if (mine == generation && !mine.broken) {
                        fail();
                        throw e;
                    }
                    Thread.currentThread().interrupt();
                }
            }
            if (mine.broken) {
                throw new IllegalStateException("broken");
            }
            return index;
        }
    }

    private static final int SPECIES = 5;
    private static final AtomicIntegerArray population = new AtomicIntegerArray(SPECIES);
    private static final AtomicIntegerArray age = new AtomicIntegerArray(SPECIES);
    private static volatile boolean failed;

    private static void live(int me, Meeting meeting) {
        try {
            while (true) {
                int left = population.get((me + SPECIES - 1) % SPECIES);
                int right = population.get((me + 1) % SPECIES);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                meeting.meet(10_000);
                population.set(me, (left + right) / 2 % 1000 + 1);
                int now = age.incrementAndGet(me);
                meeting.meet(10_000);
                for (int i = 0; i < SPECIES; i++) {
                    failed |= Math.abs(age.get(i) - now) > 1 || age.get(i) < now;
                }
            }
        } catch (InterruptedException | TimeoutException | IllegalStateException e) {
            failed = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Meeting meeting = new Meeting(SPECIES);
        for (int i = 0; i < SPECIES; i++) {
            int me = i;
            population.set(i, 100 * i);
            Thread t = new Thread(() -> live(me, meeting), "species-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("a generation was skipped");
        }
        System.out.println("DONE " + age.get(0));
    }
}
