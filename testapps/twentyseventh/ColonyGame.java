// @lock ColonyGame$Round
// @type BARRIER+MUTEX parties=3
// @role arrive ColonyGame$Round.finishTurn
// @role enter ColonyGame$Round.book
//
// @lock ColonyGame$TurnOrder
// @type CONDITION
// @role wait ColonyGame$TurnOrder.awaitTurn
// @role notify ColonyGame$TurnOrder.passOn

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A board game: three colonies roll in turn, then all build at the same time, and the round ends when everybody has built. */
public class ColonyGame {
    static final int PLAYERS = 3;
    static volatile String fault;
    static final AtomicLong rounds = new AtomicLong();

    enum Colony {
        NORTH, EAST, WEST;

        Colony next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    /** The end of a round, and the score sheet that goes with it. */
    static final class Round {
        private int arrived;
        private long number;
        private final int[] score = new int[PLAYERS];
        private int total;

        synchronized long finishTurn() throws InterruptedException {
            long mine = number;
            arrived++;
            if (arrived == PLAYERS) {
                arrived = 0;
                number++;
                rounds.incrementAndGet();
                notifyAll();
            } else {
                while (number == mine) {
                    wait();
                }
            }
            return mine;
        }

        synchronized void book(Colony c, int points) throws InterruptedException {
            int before = total;
            score[c.ordinal()] += points;
            Thread.sleep(1);
            total = before + points;
            int sum = 0;
            for (int s : score) {
                sum += s;
            }
            if (sum != total) {
                fault = "the sheet does not add up";
            }
        }
    }

    static final class TurnOrder {
        private Colony current = Colony.NORTH;

        synchronized void awaitTurn(Colony c) throws InterruptedException {
            while (current != c) {
                wait();
            }
        }

        synchronized void passOn(Colony from) {
            if (current != from) {
                throw new IllegalStateException("not the turn of " + from);
            }
            current = from.next();
            notifyAll();
        }
    }

    private final Round round = new Round();
    private final TurnOrder order = new TurnOrder();
    private int dice;

    void play(Colony c) {
        long expected = 0;
        try {
            for (;;) {
                order.awaitTurn(c);
                dice = ThreadLocalRandom.current().nextInt(2, 13);
                int mine = dice;
                Thread.sleep(1);
                if (dice != mine) {
                    fault = "somebody else rolled";
                }
                order.passOn(c);
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                round.book(c, mine);
                if (round.finishTurn() != expected++) {
                    fault = c + " is in another round";
                }
                round.book(c, 1);
            }
        } catch (InterruptedException | RuntimeException e) {
            fault = e.toString();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        ColonyGame game = new ColonyGame();
        for (Colony c : Colony.values()) {
            Thread t = new Thread(() -> game.play(c), c.name());
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && fault == null) {
            Thread.sleep(20);
        }
        if (fault != null) {
            System.out.println(fault);
            System.exit(1);
        }
        System.out.println("DONE " + rounds.get());
        System.exit(0);
    }
}
