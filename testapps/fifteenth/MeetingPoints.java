// Two ways to meet: a cyclic barrier that keeps an object for each generation and runs a command, and a rendezvous at which two swap what they carry.
// Four surveyors measure in rounds; a filler and a washer of flasks swap full for empty.
//
// @lock MeetingPoints$CyclicBarrier
// @type BARRIER parties=4
// @role arrive MeetingPoints$CyclicBarrier.barrier
// @role arrive MeetingPoints$CyclicBarrier.attemptBarrier
//
// @lock MeetingPoints$Rendezvous
// @type BARRIER parties=2 form=exchanger
// @role arrive MeetingPoints$Rendezvous.exchange
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class MeetingPoints {

    static final class BrokenBarrier extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    interface Barrier {
        int parties();
        boolean broken();
    }

    static final class CyclicBarrier implements Barrier {
        private static final class Round {
            boolean tripped, broken;
        }

        private final int parties_;
        private final Runnable command_;
        private int missing_;
        private Round round_ = new Round();

        CyclicBarrier(int parties, Runnable command) {
            parties_ = missing_ = parties;
            command_ = command;
        }

        @Override public int parties() { return parties_; }
        @Override public synchronized boolean broken() { return round_.broken; }

        synchronized int barrier() throws InterruptedException { return doBarrier(false, 0); }

        synchronized int attemptBarrier(long msecs) throws InterruptedException { return doBarrier(true, msecs); }

        private int doBarrier(boolean timed, long msecs) throws InterruptedException {
            Round mine = round_;
            if (mine.broken) throw new BrokenBarrier();
            int index = --missing_;
            if (index == 0) {
                command_.run();
                mine.tripped = true;
                missing_ = parties_;
                round_ = new Round();
                notifyAll();
                return 0;
            }
            long deadline = System.currentTimeMillis() + msecs;
            while (!mine.tripped && !mine.broken) {
                try {
                    long left = timed ? deadline - System.currentTimeMillis() : 0;
                    if (timed && left <= 0) {
                        mine.broken = true;
                        notifyAll();
                        break;
                    }
                    wait(left);
                } catch (InterruptedException e) {
                    if (!mine.tripped) {
                        mine.broken = true;
                        notifyAll();
                    }
                    throw e;
                }
            }
            if (mine.broken) throw new BrokenBarrier();
            return index;
        }
    }

    static final class Rendezvous<T> implements Barrier {
        private static final class Meeting<T> {
            final T first;
            T second;
            boolean complete;
            Meeting(T x) { first = x; }
        }

        private Meeting<T> open_;

        @Override public int parties() { return 2; }
        @Override public boolean broken() { return false; }

        synchronized T exchange(T x) throws InterruptedException {
            Meeting<T> m = open_;
            if (m != null) {
                open_ = null;
                m.second = x;
                m.complete = true;
                notifyAll();
                return m.first;
            }
            m = open_ = new Meeting<>(x);
            while (!m.complete) wait();
            return m.second;
        }
    }

    static final class Flask {
        boolean full;
    }

    static final int[] readings = new int[4];
    static int round;
    static final CyclicBarrier terrain = new CyclicBarrier(4, MeetingPoints::compare);
    static final Rendezvous<Flask> hatch = new Rendezvous<>();
    static Flask atFiller = new Flask(), atWasher = new Flask();

    static void compare() {
        round++;
        for (int r : readings) check(r == round, "a surveyor is out of step");
    }

    static void begin() {
        for (int i = 0; i < 4; i++) {
            int me = i;
            spawn("surveyor-" + i, () -> {
                nap(1, 9);
                readings[me]++;
                if (me == 0) terrain.attemptBarrier(600000);
                else terrain.barrier();
                ops.incrementAndGet();
            });
        }
        spawn("filler", () -> {
            atFiller.full = true;
            nap(2, 9);
            atFiller = hatch.exchange(atFiller);
            check(!atFiller.full, "a full flask came back");
            ops.incrementAndGet();
        });
        spawn("washer", () -> {
            atWasher.full = false;
            nap(2, 9);
            atWasher = hatch.exchange(atWasher);
            check(atWasher.full, "an empty flask came back");
        });
    }

    static final AtomicLong ops = new AtomicLong();
    static volatile String broken;

    interface Step { void run() throws InterruptedException; }

    static void check(boolean ok, String what) { if (!ok) broken = what; }

    static void nap(int min, int max) throws InterruptedException {
        Thread.sleep(min + ThreadLocalRandom.current().nextInt(max - min + 1));
    }

    static void spawn(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) step.run();
            } catch (InterruptedException e) {
                broken = name + " was interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        begin();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (broken == null && System.currentTimeMillis() < end) Thread.sleep(50);
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
