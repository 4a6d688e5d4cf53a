// @lock Raceway$PitSignal
// @type LATCH count=3
// @role count-down Raceway$PitSignal.ready
// @role await Raceway$PitSignal.hold

// @lock Raceway$Swap
// @type BARRIER parties=2 form=exchanger
// @role arrive Raceway$Swap.meet

// @lock Raceway$Tower
// @type DELAY
// @role delay Raceway$Tower.look

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Race after race on one signal: three pit crews report ready, drivers and marshal are held until all have; when everybody is through, race
 * control sets the signal back. Drivers exchange telemetry two by two. A tower looks around every few milliseconds.
 */
public class Raceway {
    static class PitSignal {
        private int missing = 3;

        synchronized void ready() {
            if (missing > 0) {
                missing--;
            }
            if (missing == 0) {
                notifyAll();
            }
        }

        synchronized boolean hold(long most) throws InterruptedException {
            long end = System.currentTimeMillis() + most;
            while (missing > 0) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        }

        /** Race control only, while nobody is held. */
        synchronized void reset() {
            missing = 3;
        }
    }

    static class Swap<T> {
        private T left;
        private T right;
        private boolean first;
        private boolean second;

        synchronized T meet(T mine) throws InterruptedException {
            Objects.requireNonNull(mine);
            while (second) {
                wait();
            }
            if (!first) {
                first = true;
                left = mine;
                while (!second) {
                    wait();
                }
                T theirs = right;
                left = right = null;
                first = second = false;
                notifyAll();
                return theirs;
            }
            second = true;
            right = mine;
            notifyAll();
            return left;
        }
    }

    static class Tower {
        private int looks;

        synchronized int look(int millis) throws InterruptedException {
            wait(millis);
            return ++looks;
        }
    }

    static volatile String broken;
    static volatile int race;
    static final AtomicInteger through = new AtomicInteger();
    static final AtomicInteger reported = new AtomicInteger();
    static final ConcurrentHashMap<String, String> seen = new ConcurrentHashMap<>();

    interface Lap {
        void drive(int n) throws InterruptedException;
    }

    /** Runs once for every race, in a thread of its own. */
    static void crew(String name, PitSignal signal, Lap lap) {
        Thread t = new Thread(() -> {
            try {
                for (int n = 0; broken == null; n++) {
                    while (race < n) {
                        Thread.sleep(1);
                    }
                    lap.drive(n);
                }
            } catch (InterruptedException e) {
                broken = name + " " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        PitSignal signal = new PitSignal();
        Swap<String> swap = new Swap<>();
        for (int i = 0; i < 3; i++) {
            crew("pit-" + i, signal, n -> {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 14));
                reported.incrementAndGet();
                signal.ready();
            });
        }
        for (int i = 0; i < 4; i++) {
            String me = "driver-" + i;
            crew(me, signal, n -> {
                if (!signal.hold(120_000)) {
                    broken = "held for too long";
                }
                if (reported.get() < 3 * (n + 1)) {
                    broken = "let go before all were ready";
                }
                through.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                String theirs = swap.meet(me + ":" + n);
                if (theirs.startsWith(me + ":")) {
                    broken = "met himself";
                }
                if (seen.put(theirs, me) != null) {
                    broken = "handed out twice: " + theirs;
                }
            });
        }
        Thread control = new Thread(() -> {
            try {
                while (true) {
                    while (through.get() < 4) {
                        Thread.sleep(1);
                    }
                    through.addAndGet(-4);
                    signal.reset();
                    race++;
                }
            } catch (InterruptedException e) {
                broken = e.toString();
            }
        }, "control");
        control.setDaemon(true);
        control.start();
        for (int i = 0; i < 2; i++) {
            Thread t = new Thread(() -> {
                Tower tower = new Tower();
                try {
                    while (tower.look(ThreadLocalRandom.current().nextInt(4, 9)) > 0) {
                        Thread.yield();
                    }
                } catch (InterruptedException e) {
                    broken = e.toString();
                }
            }, "tower-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + race);
    }
}
