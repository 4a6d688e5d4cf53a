// @lock ArenaMatch$Whistle
// @type LATCH count=1
// @role count-down ArenaMatch$Whistle.blow
// @role await ArenaMatch$Whistle.awaitIt

// @lock ArenaMatch$Round
// @type BARRIER parties=3
// @role arrive ArenaMatch$Round.end

// @lock ArenaMatch$Board
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock ArenaMatch$Board.look
// @role read-unlock ArenaMatch$Board.lookAway
// @role write-lock ArenaMatch$Board.take
// @role write-unlock ArenaMatch$Board.putBack

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Matches of three players: a whistle starts each, rounds are played in step, and spectators look at the score board. */
public final class ArenaMatch {
    static final class Whistle {
        private boolean blown;

        synchronized void blow() {
            blown = true;
            notifyAll();
        }

        synchronized void awaitIt() throws InterruptedException {
            while (!blown) {
                wait();
            }
        }
    }

    static final class Round {
        private final int players;
        private int ready;
        private int number;

        Round(int players) {
            this.players = players;
        }

        synchronized int end() throws InterruptedException {
            int mine = number;
            if (++ready < players) {
                while (mine == number) {
                    wait();
                }
            } else {
                ready = 0;
                number++;
                notifyAll();
            }
            return mine;
        }
    }

    static final class Board {
        private final int[] points = new int[PLAYERS];
        private int sum;
        private int looking;
        private boolean taken;

        synchronized void look() throws InterruptedException {
            while (taken) {
                wait();
            }
            looking++;
        }

        synchronized void lookAway() {
            looking--;
            if (looking == 0) {
                notifyAll();
            }
        }

        synchronized void take() throws InterruptedException {
            while (taken || looking > 0) {
                wait();
            }
            taken = true;
        }

        synchronized void putBack() {
            taken = false;
            notifyAll();
        }
    }

    static final class Match {
        private final Whistle whistle = new Whistle();
        private final AtomicInteger over = new AtomicInteger();
    }

    private static final int PLAYERS = 3;
    private static final AtomicReference<Match> current = new AtomicReference<>();
    private static final AtomicIntegerArray rounds = new AtomicIntegerArray(PLAYERS);
    private static final AtomicLong looks = new AtomicLong();
    private static volatile boolean broken;

    private static void play(int me, Round round, Board board) throws InterruptedException {
        Match last = null;
        while (true) {
            Match match = current.get();
            if (match == last) {
                Thread.sleep(1);
                continue;
            }
            last = match;
            match.whistle.awaitIt();
            for (int i = 0; i < 4; i++) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                score(board, me);
                rounds.incrementAndGet(me);
                round.end();
                for (int p = 0; p < PLAYERS; p++) {
                    broken |= Math.abs(rounds.get(p) - rounds.get(me)) > 1;
                }
            }
            match.over.incrementAndGet();
        }
    }

    private static void score(Board board, int me) throws InterruptedException {
        board.take();
        try {
            int points = ThreadLocalRandom.current().nextInt(5);
            board.points[me] += points;
            Thread.sleep(1);
            board.sum += points;
        } finally {
            board.putBack();
        }
    }

    private static void watch(Board board) throws InterruptedException {
        while (true) {
            board.look();
            try {
                int sum = 0;
                for (int p : board.points) {
                    sum += p;
                }
                broken |= sum != board.sum;
                Thread.sleep(1);
            } finally {
                board.lookAway();
            }
            looks.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Round round = new Round(PLAYERS);
        Board board = new Board();
        current.set(new Match());
        for (int i = 0; i < 2 * PLAYERS; i++) {
            int me = i;
            Thread t = new Thread(() -> {
                try {
                    if (me < PLAYERS) {
                        play(me, round, board);
                    } else {
                        watch(board);
                    }
                } catch (InterruptedException e) {
                    broken = true;
                }
            }, (i < PLAYERS ? "player-" : "spectator-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        int matches = 0;
        while (System.nanoTime() < end) {
            Match match = current.get();
            Thread.sleep(3);
            match.whistle.blow();
            for (int i = 0; match.over.get() < PLAYERS; i++) {
                if (i > 10_000) {
                    throw new IllegalStateException("the match does not end");
                }
                Thread.sleep(1);
            }
            matches++;
            current.set(new Match());
        }
        if (broken || rounds.get(0) != matches * 4) {
            throw new IllegalStateException("the score is wrong, or a round was skipped");
        }
        System.out.println("DONE " + (matches + looks.get()));
    }
}
