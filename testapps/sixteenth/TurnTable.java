// @lock GameTable
// @type CONDITION
// @role wait GameTable.awaitTurn
// @role notify GameTable.endTurn
// @lock java.util.ArrayList
// @type MUTEX
// @role enter TableChat.say
// @role enter TableChat.since

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A board game on a server: seats move in turn, a seat that passed is skipped once. */
class GameTable {
    enum Phase { DEALING, PLAYING, OVER }

    private Phase phase = Phase.PLAYING;
    private int turn;
    private final boolean[] skip = new boolean[4];
    private final int[] points = new int[4];
    private String lastMove;
    private long moves, timeouts;

    synchronized boolean awaitTurn(int seat) throws InterruptedException {
        long t0 = System.currentTimeMillis();
        while (turn != seat) {
            if (phase == Phase.OVER) return false;
            wait(5000);
            if (System.currentTimeMillis() - t0 > 5000) timeouts++;
        }
        return phase == Phase.PLAYING;
    }

    synchronized void endTurn(int seat, String move, boolean passNext) {
        if (turn != seat) throw new IllegalStateException("seat " + seat + " in turn of " + turn);
        if (passNext) skip[seat] = true;
        else points[seat]++;
        lastMove = move != null ? move : lastMove;
        moves++;
        int n = (seat + 1) % 4;
        while (skip[n]) {
            skip[n] = false;
            n = (n + 1) % 4;
        }
        turn = n;
        notifyAll();
    }

    synchronized String lastMove() { return lastMove; }
}

class TableChat {
    private final List<String> lines = new ArrayList<>();
    private int dropped, filterHits;

    void say(String who, String text) throws InterruptedException {
        if (text == null || text.isEmpty()) return;
        synchronized (lines) {
            if (text.contains("darn")) {
                filterHits++;
                text = text.replace("darn", "****");
            }
            lines.add(who + ": " + text);
            Thread.sleep(1); // the censor's archive
            if (lines.size() > 30) {
                lines.subList(0, 10).clear();
                dropped += 10;
            }
        }
    }

    String since(int n) throws InterruptedException {
        synchronized (lines) {
            StringBuilder b = new StringBuilder();
            for (int i = Math.max(0, n - dropped); i < lines.size(); i++) {
                String l = lines.get(i);
                if (l == null) return null;
                b.append(l).append('\n');
            }
            if (b.length() > 100) Thread.sleep(1);
            return b.toString();
        }
    }
}

public class TurnTable {
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
    static volatile int moving = -1;

    public static void main(String[] v) throws Exception {
        GameTable table = new GameTable();
        TableChat chat = new TableChat();
        for (int i = 0; i < 4; i++) {
            int seat = i;
            spawn("seat-" + i, () -> {
                if (!table.awaitTurn(seat)) return;
                check(moving == -1, "two seats move");
                moving = seat;
                pause(1, 4);
                check(moving == seat, "disturbed");
                moving = -1;
                table.endTurn(seat, "m" + seat, ThreadLocalRandom.current().nextInt(6) == 0);
                chat.say("seat " + seat, ThreadLocalRandom.current().nextBoolean() ? "darn" : "ha");
            });
        }
        for (int i = 0; i < 3; i++)
            spawn("guest-" + i, () -> {
                String s = chat.since(0);
                check(s != null && !s.contains("darn"), "not filtered");
                if (table.lastMove() != null) chat.say("guest", "saw " + table.lastMove());
                pause(2, 7);
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
