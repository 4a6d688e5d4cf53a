// @lock Yard
// @type LOCK reentrant=false
// @role lock Yard.driveIn
// @role unlock Yard.driveOut
// @lock YardStatistics
// @type MUTEX
// @quiet

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A truck's place in the line before the door; the driver sleeps on it. */
class Ticket {
    final String plate;
    final Thread driver = Thread.currentThread();
    final long since = System.currentTimeMillis();
    boolean called;
    Ticket(String plate) { this.plate = plate; }
}

/** One dock door. Trucks come in strictly as they arrived; the one that leaves hands the door to the next. */
class Yard {
    private final Deque<Ticket> line = new ArrayDeque<>();
    private Thread atDoor;
    private final YardStatistics stat;

    Yard(YardStatistics stat) { this.stat = stat; }

    void driveIn(String plate) throws InterruptedException {
        Ticket t = null;
        synchronized (this) {
            if (atDoor == Thread.currentThread()) throw new IllegalStateException(plate + " is at the door already");
            if (atDoor == null && line.isEmpty()) atDoor = Thread.currentThread();
            else {
                t = new Ticket(plate);
                line.addLast(t);
            }
        }
        if (t == null) {
            stat.add(0, true);
            return;
        }
        synchronized (t) {
            while (!t.called) t.wait();
        }
        stat.add(System.currentTimeMillis() - t.since, false);
    }

    void driveOut() {
        Ticket next;
        synchronized (this) {
            if (atDoor != Thread.currentThread()) throw new IllegalStateException("not at the door");
            next = line.pollFirst();
            atDoor = next == null ? null : next.driver;
            if (next == null) return;
        }
        synchronized (next) {
            next.called = true;
            next.notify();
        }
    }
}

class YardStatistics {
    private long trucks, direct, millis, longest;

    synchronized void add(long ms, boolean noWait) {
        trucks++;
        if (noWait) direct++;
        millis += ms;
        if (ms > longest) longest = ms;
    }

    synchronized double average() { return trucks == direct ? 0 : (double) millis / (trucks - direct); }
}

public class DockDoor {
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
    static volatile String inside;

    public static void main(String[] v) throws Exception {
        YardStatistics stat = new YardStatistics();
        Yard yard = new Yard(stat);
        for (int i = 0; i < 5; i++) {
            String plate = "HH-" + (100 + i);
            spawn(plate, () -> {
                yard.driveIn(plate);
                try {
                    check(inside == null, "two trucks at the door");
                    inside = plate;
                    pause(2, 5);
                    check(plate.equals(inside), "pushed out");
                    inside = null;
                } finally {
                    yard.driveOut();
                }
                pause(3, 12);
            });
        }
        spawn("office", () -> {
            check(stat.average() >= 0, "negative waiting");
            pause(15, 25);
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
