// @lock PrinterRoom
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire PrinterRoom.borrow
// @role acquire PrinterRoom.tryBorrow
// @role release PrinterRoom.giveBack
// @lock LabSession
// @type DELAY
// @role delay LabSession.backOff

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Label printers of a hospital lab. Broken ones are mended on the spot when they come back. */
class PrinterRoom {
    static final class Printer {
        final String name;
        int printed, jams;
        boolean jammed;
        volatile Thread user;
        Printer(String name) { this.name = name; }
    }

    private final Printer[] all = {new Printer("left"), new Printer("middle"), new Printer("right")};
    private final boolean[] out = new boolean[3];
    private int favourite;
    private long borrowed, refused;
    private int waiting;

    private Printer pick() {
        for (int k = 0; k < 3; k++) {
            int i = (favourite + k) % 3;
            if (!out[i]) {
                out[i] = true;
                favourite = i + 1;
                borrowed++;
                return all[i];
            }
        }
        return null;
    }

    synchronized Printer borrow() throws InterruptedException {
        Printer p;
        while ((p = pick()) == null) {
            waiting++;
            try {
                wait();
            } finally {
                waiting--;
            }
        }
        return p;
    }

    synchronized Printer tryBorrow(long ms) throws InterruptedException {
        Printer p = pick();
        if (p != null || ms <= 0) return p;
        long end = System.currentTimeMillis() + ms;
        do {
            long left = end - System.currentTimeMillis();
            if (left <= 0) {
                refused++;
                return null;
            }
            waiting++;
            try {
                wait(left);
            } finally {
                waiting--;
            }
            p = pick();
        } while (p == null);
        return p;
    }

    synchronized void giveBack(Printer p) {
        for (int i = 0; i < 3; i++)
            if (all[i] == p) {
                if (!out[i]) throw new IllegalStateException("twice: " + p.name);
                out[i] = false;
                if (p.jammed) {
                    p.jams++;
                    p.jammed = false;
                }
                if (waiting > 0) notifyAll();
                return;
            }
        throw new IllegalArgumentException("not ours");
    }
}

/** A connection to the lab's server that drops now and then; reconnecting backs off. */
class LabSession {
    private boolean connected;
    private int failures;
    private long pauses;
    private String last = "";

    boolean send(String what) throws InterruptedException {
        if (!connected && ThreadLocalRandom.current().nextInt(3) > 0) {
            failures++;
            backOff();
            return false;
        }
        connected = ThreadLocalRandom.current().nextInt(4) > 0;
        failures = 0;
        last = what;
        return true;
    }

    private void backOff() throws InterruptedException {
        synchronized (this) {
            long ms = Math.min(16, 2L << Math.min(failures, 4));
            pauses++;
            last = "pause " + pauses;
            wait(ms);
        }
    }
}

public class LabelPrinters {
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
        PrinterRoom room = new PrinterRoom();
        for (int i = 0; i < 6; i++) {
            int me = i;
            LabSession lab = new LabSession();
            spawn("lab-" + i, () -> {
                PrinterRoom.Printer p = me % 2 == 0 ? room.borrow() : room.tryBorrow(60);
                if (p != null)
                    try {
                        check(p.user == null, "two at printer " + p.name);
                        p.user = Thread.currentThread();
                        p.printed++;
                        pause(6, 12);
                        p.jammed = ThreadLocalRandom.current().nextInt(9) == 0;
                        check(p.user == Thread.currentThread(), "printer taken away");
                        p.user = null;
                    } finally {
                        room.giveBack(p);
                    }
                for (int k = 0; k < 2 && !lab.send("label"); k++) check(bad == null, "stopped");
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
