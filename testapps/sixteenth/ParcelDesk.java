// @lock Shipment
// @type LATCH count=3
// @role count-down Shipment.stepDone
// @role await Shipment.awaitReady
// @lock java.util.LinkedList
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Dispatch.hand
// @role take Dispatch.grab

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A shipment is ready when it is weighed, labelled and cleared. */
class Shipment {
    final int no;
    private boolean weighed, labelled, cleared;
    private int grams;
    private String label;
    private long readyAt = -1;

    Shipment(int no) { this.no = no; }

    synchronized void stepDone(int step) {
        switch (step) {
            case 0:
                if (weighed) return;
                weighed = true;
                grams = 100 + no % 900;
                break;
            case 1:
                if (labelled) return;
                labelled = true;
                label = "S" + no;
                break;
            default:
                if (cleared) return;
                cleared = true;
                break;
        }
        if (weighed && labelled && cleared) {
            readyAt = System.currentTimeMillis();
            notifyAll();
        }
    }

    synchronized boolean awaitReady(long ms) throws InterruptedException {
        long end = System.currentTimeMillis() + ms;
        while (readyAt < 0) {
            long left = end - System.currentTimeMillis();
            if (left <= 0) return false;
            wait(left);
        }
        return true;
    }

    String label() { return label; }
    int grams() { return grams; }
}

class Dispatch {
    static final class Task {
        final Shipment s;
        final int step;
        Task(Shipment s, int step) { this.s = s; this.step = step; }
    }

    private final LinkedList<Task> open = new LinkedList<>();
    private int idle;
    private long handed;
    private boolean stopped;

    void hand(Shipment s, int step) {
        if (s == null) throw new NullPointerException("shipment");
        synchronized (open) {
            if (stopped) return;
            open.add(new Task(s, step));
            handed++;
            if (idle > 0) open.notify();
        }
    }

    Task grab() throws InterruptedException {
        synchronized (open) {
            idle++;
            try {
                while (open.isEmpty()) {
                    if (stopped) return null;
                    open.wait();
                }
                return open.removeFirst();
            } finally {
                idle--;
            }
        }
    }

    void stop() {
        synchronized (open) {
            stopped = true;
            open.notifyAll();
        }
    }
}

public class ParcelDesk {
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
    static volatile Shipment current = new Shipment(0);

    public static void main(String[] v) throws Exception {
        Dispatch d = new Dispatch();
        for (int i = 0; i < 3; i++)
            spawn("station-" + i, () -> {
                Dispatch.Task t = d.grab();
                if (t == null) return;
                pause(1, 4);
                t.s.stepDone(t.step);
            });
        int[] number = {0};
        spawn("clerk", () -> {
            Shipment s = new Shipment(++number[0]);
            current = s;
            for (int k = 0; k < 3; k++) d.hand(s, k);
            check(s.awaitReady(10_000), "shipment stuck");
            check(s.label() != null && s.grams() >= 100, "not labelled or weighed");
            pause(2, 5);
        });
        int[] lastSeen = {0};
        spawn("driver", () -> {
            Shipment s = current;
            if (s.no == lastSeen[0]) {
                pause(1, 2);
                return;
            }
            lastSeen[0] = s.no;
            check(s.awaitReady(10_000), "driver stuck");
            check(s.label().equals("S" + s.no), "wrong label");
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
