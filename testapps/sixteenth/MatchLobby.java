// @lock Lobby
// @type BARRIER parties=4
// @role arrive Lobby.join
// @lock HighScores
// @type MUTEX
// @role enter HighScores.submit
// @role enter HighScores.best

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A match starts when four players are in the lobby. */
class Lobby {
    static class Match {
        final int number;
        final List<String> names;
        Match(int number, List<String> names) { this.number = number; this.names = names; }
    }

    private List<String> waiting = new ArrayList<>();
    private Match latest;
    private int matches;
    private long waitedMillis;
    private String motd = "";

    synchronized Match join(String player) throws InterruptedException {
        long t = System.currentTimeMillis();
        int mine = matches;
        waiting.add(player);
        if (waiting.size() == 4) {
            matches++;
            latest = new Match(matches, waiting);
            waiting = new ArrayList<>();
            motd = "match " + matches + " with " + latest.names;
            notifyAll();
            return latest;
        }
        while (matches == mine) wait();
        waitedMillis += System.currentTimeMillis() - t;
        return latest;
    }

    synchronized String motd() { return motd; }
}

class HighScores {
    private static final HighScores INSTANCE = new HighScores();
    private final SortedMap<Integer, String> table = new TreeMap<>();
    private int writes, flushed;

    static HighScores get() { return INSTANCE; }

    void submit(String who, int score) throws InterruptedException {
        if (score < 10) return;
        synchronized (this) {
            table.put(score, who);
            writes++;
            while (table.size() > 20) table.remove(table.firstKey());
            Thread.sleep(1);
            flushed++;
        }
    }

    String best() {
        synchronized (this) {
            if (writes != flushed) return null;
            if (table.isEmpty()) return "nobody";
            return table.get(table.lastKey());
        }
    }
}

public class MatchLobby {
    static volatile String bad;
    static final AtomicLong ops = new AtomicLong();

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok && bad == null) bad = what; }

    static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                for (;;) { body.run(); ops.incrementAndGet(); }
            } catch (Throwable e) {
                check(false, name + " died: " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
    public static void main(String[] v) throws Exception {
        Lobby lobby = new Lobby();
        for (int i = 0; i < 4; i++) {
            String me = "player-" + i;
            int[] last = {0};
            spawn(me, () -> {
                Lobby.Match m = lobby.join(me);
                check(m.names.contains(me), "not in my match");
                check(m.names.size() == 4, "match of " + m.names.size());
                check(m.number == ++last[0], "match missed");
                HighScores.get().submit(me, ThreadLocalRandom.current().nextInt(1000));
                pause(2, 9);
            });
        }
        spawn("spectator", () -> {
            lobby.motd();
            check(HighScores.get().best() != null, "scores half written");
            pause(1, 4);
        });
        System.out.println("READY");
        long end = System.nanoTime() + (v.length > 0 ? Integer.parseInt(v[0]) : 600) * 1000000000L;
        while (System.nanoTime() < end && bad == null) Thread.sleep(40);
        check(ops.get() > 0, "no progress");
        if (bad != null) {
            System.out.println("FAILED " + bad);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
