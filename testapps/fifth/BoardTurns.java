// @lock BoardTurns$Table
// @type CONDITION
// @role wait BoardTurns$Table.awaitTurn
// @role notify BoardTurns$Table.endTurn

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A board game server: players move in the order of their colours; whoever has to sit out a turn is skipped. */
public final class BoardTurns {
    enum Colour {
        RED, GREEN, BLUE, YELLOW;

        Colour next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    static final class Table {
        private Colour turn = Colour.RED;
        private final Set<Colour> sittingOut = EnumSet.noneOf(Colour.class);

        synchronized void awaitTurn(Colour player) throws InterruptedException {
            while (turn != player) {
                wait();
            }
        }

        synchronized void endTurn(Colour player, boolean skipNext) {
            if (turn != player) {
                throw new IllegalStateException(player + " moved in the turn of " + turn);
            }
            if (skipNext) {
                sittingOut.add(player.next());
            }
            do {
                turn = turn.next();
            } while (sittingOut.remove(turn));
            notifyAll();
        }
    }

    private static final AtomicLong moves = new AtomicLong();
    private static final AtomicLong atMove = new AtomicLong();
    private static volatile String failure;

    private static void play(Table table, Colour me) {
        try {
            while (failure == null) {
                table.awaitTurn(me);
                if (atMove.incrementAndGet() != 1) {
                    failure = "two players at move";
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                moves.incrementAndGet();
                atMove.decrementAndGet();
                table.endTurn(me, ThreadLocalRandom.current().nextInt(6) == 0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            failure = e.getMessage();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Table table = new Table();
        for (Colour c : Colour.values()) {
            Thread t = new Thread(() -> play(table, c), c.name().toLowerCase(Locale.ROOT));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null || moves.get() == 0) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + moves);
    }
}
