// @lock LockstepGame$TurnGate
// @type BARRIER parties=4
// @role arrive LockstepGame$TurnGate.endTurn

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** A strategy game in lock-step: four peers simulate a turn each for itself and go on together; all must have the same checksum. */
public final class LockstepGame {
    static final class TurnGate {
        private static final class Turn {
            private boolean over;
        }

        private final int peers;
        private int missing;
        private Turn turn = new Turn();

        TurnGate(int peers) {
            this.peers = peers;
            missing = peers;
        }

        synchronized boolean endTurn() throws InterruptedException {
            Turn mine = turn;
            if (--missing == 0) {
                mine.over = true;
                turn = new Turn();
                missing = peers;
                notifyAll();
                return true;
            }
            while (!mine.over) {
                wait();
            }
            return false;
        }
    }

    private static final int PEERS = 4;

    private final TurnGate gate = new TurnGate(PEERS);
    private final AtomicLongArray checksums = new AtomicLongArray(PEERS);
    private final AtomicLongArray turns = new AtomicLongArray(PEERS);
    private final AtomicLong leaders = new AtomicLong();
    private volatile String failure;

    private void peer(int me) {
        long world = 42;
        try {
            while (failure == null) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                world = world * 6364136223846793005L + 1442695040888963407L;
                checksums.set(me, world);
                long turn = turns.incrementAndGet(me);
                gate.endTurn();
                for (int i = 0; i < PEERS; i++) {
                    if (turns.get(i) < turn || checksums.get(i) != world) {
                        failure = "peer " + i + " is out of sync in turn " + turn;
                    }
                }
                if (gate.endTurn()) {
                    leaders.incrementAndGet();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        LockstepGame game = new LockstepGame();
        for (int i = 0; i < PEERS; i++) {
            int me = i;
            Thread t = new Thread(() -> game.peer(me), "peer-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (game.failure != null) {
            throw new IllegalStateException(game.failure);
        }
        if (game.leaders.get() == 0) {
            throw new IllegalStateException("no turn was completed");
        }
        System.out.println("DONE " + game.leaders);
    }
}
