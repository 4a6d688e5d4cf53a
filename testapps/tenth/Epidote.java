// @lock Epidote$Stage
// @type BARRIER parties=4
// @role arrive Epidote$Stage.step
//
// @lock Epidote$Round
// @type BARRIER parties=3
// @role arrive Epidote$Round.meet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** A simulation in lock-step with a new era object for each step, and three players whose rounds follow from the count of arrivals alone. */
public final class Epidote {
    static final class Stage {
        private final int size;
        private final Runnable between;
        private Object era = new Object();
        private int missing;

        Stage(int size, Runnable between) {
            this.size = size;
            this.missing = size;
            this.between = between;
        }

        synchronized boolean step() throws InterruptedException {
            Object mine = era;
            if (--missing == 0) {
                between.run();
                missing = size;
                era = new Object();
                notifyAll();
                return true;
            }
            do {
                wait();
            } while (era == mine);
            return false;
        }
    }

    static final class Round {
        private static final int PLAYERS = 3;
        private long arrivals;

        long meet() throws InterruptedException {
            synchronized (this) {
                long round = arrivals++ / PLAYERS;
                long full = (round + 1) * PLAYERS;
                if (arrivals >= full) {
                    notifyAll();
                }
                while (arrivals < full) {
                    wait();
                }
                return round;
            }
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static final AtomicLongArray progress = new AtomicLongArray(4);
    private static final AtomicLongArray moves = new AtomicLongArray(3);
    private static volatile String failure;

    private static void compareCells() {
        for (int i = 1; i < 4; i++) {
            if (progress.get(i) != progress.get(0)) {
                failure = "a cell was left behind";
            }
        }
    }

    private static void cell(Stage stage, int number) {
        try {
            while (failure == null) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                progress.incrementAndGet(number);
                stage.step();
                ops.incrementAndGet();
            }
        } catch (InterruptedException e) {
            failure = "a cell was interrupted";
        }
    }

    private static void player(Round round, int number) {
        try {
            for (long n = 0; failure == null; n++) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(4));
                moves.incrementAndGet(number);
                if (round.meet() != n) {
                    failure = "a player is in another round";
                }
                for (int i = 0; i < 3; i++) {
                    if (moves.get(i) < n + 1) {
                        failure = "a round ended without everybody";
                    }
                }
                ops.incrementAndGet();
            }
        } catch (InterruptedException e) {
            failure = "a player was interrupted";
        }
    }

    private static void start(Runnable body) {
        Thread t = new Thread(body);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Stage stage = new Stage(4, Epidote::compareCells);
        Round round = new Round();
        for (int i = 0; i < 4; i++) {
            int number = i;
            start(() -> cell(stage, number));
        }
        for (int i = 0; i < 3; i++) {
            int number = i;
            start(() -> player(round, number));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops);
    }
}
