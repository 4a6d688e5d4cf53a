// @lock GateQueue
// @type LOCK reentrant=false
// @role lock GateQueue.put
// @role unlock GateQueue.take
// @lock SeatLatch
// @type SEMAPHORE permits=4
// @role acquire SeatLatch.await
// @role acquire SeatLatch.awaitFor
// @role release SeatLatch.countDown
// @lock BoardingSemaphore
// @type BARRIER parties=3
// @role arrive BoardingSemaphore.acquire

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Names from three earlier versions of the program; what the classes do has changed since. */
abstract class AirportThing {
    protected long calls;
    protected String lastCaller;

    protected void note() {
        calls++;
        lastCaller = Thread.currentThread().getName();
    }

    synchronized String lastCaller() { return lastCaller; }
}

/** One ground crew has the gate. */
class GateQueue extends AirportThing {
    private final LinkedList<Thread> users = new LinkedList<>();

    synchronized void put() throws InterruptedException {
        note();
        while (!users.isEmpty()) {
            if (users.getFirst() == Thread.currentThread()) throw new IllegalStateException("has the gate");
            wait();
        }
        users.add(Thread.currentThread());
    }

    synchronized void take() {
        if (!users.remove(Thread.currentThread())) throw new IllegalStateException("no gate");
        notifyAll();
    }
}

/** Four seats in the lounge. */
class SeatLatch extends AirportThing {
    private int taken;
    private long gaveUp;
    private boolean loungeClosed;

    synchronized void await() throws InterruptedException {
        note();
        while (full()) wait();
        taken++;
    }

    synchronized boolean awaitFor(long ms) throws InterruptedException {
        note();
        long end = System.currentTimeMillis() + ms;
        while (full()) {
            long left = end - System.currentTimeMillis();
            if (left <= 0 || loungeClosed) {
                gaveUp++;
                return false;
            }
            wait(left);
        }
        taken++;
        return true;
    }

    private boolean full() { return taken > 3; }

    synchronized void countDown() {
        if (taken == 0) throw new IllegalStateException("all seats free");
        taken--;
        notifyAll();
    }

    synchronized void closeLounge() {
        loungeClosed = true;
        notifyAll();
    }
}

/** Groups of three board together. */
class BoardingSemaphore extends AirportThing {
    private int missing = 3;
    private Object group = new Object();
    private int groups;

    synchronized int acquire() throws InterruptedException {
        note();
        Object mine = group;
        int number = groups;
        missing--;
        if (missing == 0) {
            missing = 3;
            groups++;
            group = new Object();
            notifyAll();
        } else {
            do wait(); while (group == mine);
        }
        return number;
    }
}

public class AirportNames {
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
    static volatile Thread atGate;

    public static void main(String[] v) throws Exception {
        GateQueue gate = new GateQueue();
        SeatLatch lounge = new SeatLatch();
        BoardingSemaphore boarding = new BoardingSemaphore();
        AtomicLong seated = new AtomicLong();
        for (int i = 0; i < 3; i++) {
            spawn("crew-" + i, () -> {
                gate.put();
                try {
                    check(atGate == null, "two crews");
                    atGate = Thread.currentThread();
                    pause(2, 5);
                    atGate = null;
                } finally {
                    gate.take();
                }
                pause(1, 4);
            });
            int[] at = {0};
            spawn("family-" + i, () -> {
                pause(1, 9);
                check(boarding.acquire() == at[0]++, "group missed");
                check(boarding.lastCaller() != null, "nobody called");
            });
        }
        for (int i = 0; i < 7; i++) {
            boolean patient = i % 2 == 0;
            spawn("guest-" + i, () -> {
                if (patient) lounge.await();
                else if (!lounge.awaitFor(25)) return;
                try {
                    check(seated.incrementAndGet() <= 4, "five seats");
                    pause(3, 9);
                } finally {
                    seated.decrementAndGet();
                    lounge.countDown();
                }
                pause(0, 4);
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
