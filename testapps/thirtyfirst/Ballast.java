// @lock Ballast$Valve
// @type LOCK reentrant=true
// @role lock Ballast$Valve.seize
// @role unlock Ballast$Valve.yieldUp

// @lock Ballast$Line
// @type PRODUCER-CONSUMER capacity=7
// @role put Ballast$Line.feed
// @role take Ballast$Line.drain

// @lock java.lang.Object#note
// @type MUTEX
// @role enter Ballast$Log.note
// @role enter Ballast$Log.last

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Pumps of a ship: what waits and what wakes is in a class of static helpers, two and three calls below the locks. */
public class Ballast {
    static final class Sync {
        private Sync() {
        }

        static void sleepOn(Object monitor) throws InterruptedException {
            raw(monitor, 0L);
        }

        private static void raw(Object monitor, long millis) throws InterruptedException {
            monitor.wait(millis);
        }

        static void rouse(Object monitor) {
            monitor.notifyAll();
        }
    }

    static class Valve {
        private Thread hand;
        private int turns;

        void seize() throws InterruptedException {
            synchronized (this) {
                Thread me = Thread.currentThread();
                if (mine(me)) {
                    turns++;
                    return;
                }
                untilFree();
                hand = me;
                turns = 1;
            }
        }

        private boolean mine(Thread t) {
            return hand == t;
        }

        private void untilFree() throws InterruptedException {
            while (hand != null) {
                Sync.sleepOn(this);
            }
        }

        void yieldUp() {
            synchronized (this) {
                if (!mine(Thread.currentThread())) {
                    throw new IllegalMonitorStateException();
                }
                if (--turns == 0) {
                    hand = null;
                    Sync.rouse(this);
                }
            }
        }
    }

    static class Line {
        private final int[] water = new int[7];
        private int head;
        private int used;

        synchronized void feed(int litres) throws InterruptedException {
            while (full()) {
                Sync.sleepOn(this);
            }
            append(litres);
        }

        synchronized int drain() throws InterruptedException {
            while (used == 0) {
                Sync.sleepOn(this);
            }
            return removeFirst();
        }

        private boolean full() {
            return used == water.length;
        }

        private void append(int litres) {
            water[(head + used) % water.length] = litres;
            used++;
            Sync.rouse(this);
        }

        private int removeFirst() {
            int w = water[head];
            head = (head + 1) % water.length;
            used--;
            Sync.rouse(this);
            return w;
        }
    }

    static class Log {
        private final Object pen = new Object();
        private final Deque<String> lines = new ArrayDeque<>();

        void note(String line) throws InterruptedException {
            synchronized (pen) {
                lines.addLast(line);
                Thread.sleep(1);
                while (lines.size() > 50) {
                    lines.removeFirst();
                }
            }
        }

        String last() {
            synchronized (pen) {
                return lines.peekLast();
            }
        }
    }

    static int level;

    static void shift(Valve v, int by) throws InterruptedException {
        v.seize();
        try {
            level += by;
        } finally {
            v.yieldUp();
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Valve valve = new Valve();
        Line line = new Line();
        Log log = new Log();
        for (int i = 0; i < 4; i++) {
            loop("pump-" + i, () -> {
                valve.seize();
                try {
                    shift(valve, 3);
                    pause(1, 4);
                    shift(valve, -3);
                    check(level == 0, "list to starboard");
                } finally {
                    valve.yieldUp();
                }
                log.note("trimmed");
            });
        }
        for (int i = 0; i < 3; i++) {
            loop("sea-" + i, () -> {
                for (int k = 0; k < 5; k++) {
                    line.feed(k + 1);
                }
                pause(3, 9);
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("tank-" + i, () -> {
                check(line.drain() > 0, "air in the line");
                if (ThreadLocalRandom.current().nextInt(9) == 0) {
                    pause(3, 12);
                    log.last();
                }
            });
        }
        finish(args);
    }
}
