// @lock java.lang.Object#signOff
// @type BARRIER parties=3
// @role arrive TeamChecklist.signOff
// @lock java.util.BitSet
// @type SEMAPHORE permits=2
// @role acquire Theatres.enterRoom
// @role release Theatres.leaveRoom

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Surgeon, anaesthetist and nurse sign each step of the checklist; nobody goes on before all three have. */
class TeamChecklist {
    private final Object paper = new Object();
    private int signed;              // a bit for each role
    private boolean colour;          // changes with each step
    private int step;
    private final StringBuilder remarks = new StringBuilder();
    private long lateMillis;

    int signOff(int role, String remark) throws InterruptedException {
        long t = System.currentTimeMillis();
        synchronized (paper) {
            if (remark != null && remarks.length() < 500) remarks.append(remark).append(';');
            if ((signed & 1 << role) != 0) throw new IllegalStateException("signed twice");
            signed |= 1 << role;
            if (signed == 7) {
                signed = 0;
                step++;
                colour = !colour;
                remarks.setLength(0);
                paper.notifyAll();
            } else {
                boolean c = colour;
                while (c == colour) paper.wait();
                lateMillis += System.currentTimeMillis() - t;
            }
            return step;
        }
    }
}

/** Two operating theatres. */
class Theatres {
    private final BitSet occupied = new BitSet();
    private final String[] byTeam = new String[2];
    private boolean closed;
    private int emergencies;

    int enterRoom(String team, boolean emergency) throws InterruptedException {
        synchronized (occupied) {
            if (emergency) emergencies++;
            int room = occupied.nextClearBit(0);
            while (room > 1) {
                if (closed) return -1;
                occupied.wait();
                room = occupied.nextClearBit(0);
            }
            occupied.set(room);
            byTeam[room] = team;
            return room;
        }
    }

    String leaveRoom(int room) {
        if (room < 0) return null;
        synchronized (occupied) {
            String team = byTeam[room];
            byTeam[room] = null;
            occupied.clear(room);
            occupied.notify();
            return team;
        }
    }

    void close() {
        synchronized (occupied) {
            closed = true;
            occupied.notifyAll();
        }
    }
}

public class TheatrePlan {
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
        TeamChecklist list = new TeamChecklist();
        Theatres rooms = new Theatres();
        for (int i = 0; i < 3; i++) {
            int role = i;
            int[] at = {0};
            spawn("role-" + i, () -> {
                pause(1, 8);
                int s = list.signOff(role, role == 1 ? "asleep" : null);
                check(s == ++at[0], "step " + s + " instead of " + at[0]);
            });
        }
        AtomicLong inUse = new AtomicLong();
        for (int i = 0; i < 5; i++) {
            String team = "team-" + i;
            spawn(team, () -> {
                int r = rooms.enterRoom(team, ThreadLocalRandom.current().nextInt(20) == 0);
                if (r < 0) return;
                String was;
                try {
                    check(inUse.incrementAndGet() <= 2, "three theatres");
                    pause(4, 9);
                } finally {
                    inUse.decrementAndGet();
                    was = rooms.leaveRoom(r);
                }
                check(team.equals(was), "another team's room");
                pause(1, 6);
            });
        }
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
