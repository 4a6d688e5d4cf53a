// @lock TurnGame$TurnServer
// @type BARRIER parties=3
// @role arrive TurnGame$TurnServer.submit

import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A strategy game over the network, in lock-step: everybody submits a command, and when the last one is in, all get the same
 * set of commands back and simulate the same turn.
 */
public final class TurnGame {

    /** The commands of one turn, by player. */
    private static final class Turn {
        final int number;
        final Map<String, Integer> commands = new TreeMap<>();
        boolean sealed;

        Turn(int number) {
            this.number = number;
        }
    }

    static final class TurnServer {
        private final int players;
        private Turn open = new Turn(0);

        TurnServer(int players) {
            this.players = players;
        }

        Map<String, Integer> submit(String player, int command) throws InterruptedException {
            synchronized (this) {
                Turn turn = open;
                if (turn.commands.put(player, command) != null) {
                    throw new IllegalStateException(player + " moved twice in turn " + turn.number);
                }
                if (turn.commands.size() == players) {
                    turn.sealed = true;
                    open = new Turn(turn.number + 1);
                    notifyAll();
                }
                while (!turn.sealed) {
                    wait();
                }
                return Collections.unmodifiableMap(turn.commands);
            }
        }
    }

    private static final class Player extends Thread {
        private final TurnServer server;
        private final long end;
        long checksum = 17;
        int turns;

        Player(String name, TurnServer server, long end) {
            super(name);
            this.server = server;
            this.end = end;
        }

        @Override
        public void run() {
            Random random = new Random(getName().hashCode());
            try {
                boolean over = false;
                while (!over) {
                    Thread.sleep(random.nextInt(5));
                    int command = System.nanoTime() - end > 0 ? -1 : random.nextInt(1000);
                    Map<String, Integer> all = server.submit(getName(), command);
                    for (Map.Entry<String, Integer> entry : all.entrySet()) {
                        checksum = 31 * checksum + entry.getKey().hashCode() * 7L + entry.getValue();
                        over |= entry.getValue() < 0;
                    }
                    turns++;
                }
            } catch (InterruptedException e) {
                checksum = 0;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        TurnServer server = new TurnServer(3);
        Player[] players = {
            new Player("red", server, end), new Player("green", server, end), new Player("blue", server, end)
        };
        for (Player player : players) {
            player.start();
        }
        System.out.println("READY");
        System.out.flush();
        for (Player player : players) {
            player.join();
        }
        for (Player player : players) {
            if (player.checksum != players[0].checksum || player.turns != players[0].turns) {
                throw new IllegalStateException("out of sync: " + player.getName());
            }
        }
        System.out.println("DONE " + players[0].turns);
    }
}
