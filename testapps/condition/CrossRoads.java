// @lock CrossRoads$Signal
// @type CONDITION
// @role wait CrossRoads$Signal.awaitPhase
// @role notify CrossRoads$Signal.show

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A traffic light: cars from two roads and pedestrians wait for their own phase; a controller changes it. */
public final class CrossRoads {
    enum Phase { NORTH, EAST, WALK }

    static final class Signal {
        private Phase phase = Phase.NORTH;
        private long changes;

        synchronized long awaitPhase(Phase wanted) throws InterruptedException {
            while (phase != wanted) {
                wait();
            }
            return changes;
        }

        synchronized void show(Phase next) {
            if (next == phase) {
                return;
            }
            phase = next;
            changes++;
            notifyAll();
        }
    }

    private static final AtomicLong crossed = new AtomicLong();
    private static volatile boolean failed;

    private static void user(Signal signal, Phase phase) {
        try {
            while (!failed) {
                long at = signal.awaitPhase(phase);
                if (at % 3 != phase.ordinal()) {
                    failed = true;
                }
                crossed.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Signal signal = new Signal();
        for (int i = 0; i < 6; i++) {
            Phase p = Phase.values()[i % 3];
            Thread t = new Thread(() -> user(signal, p), p + "-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        for (int n = 1; System.nanoTime() - until < 0; n++) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
            signal.show(Phase.values()[n % 3]);
        }
        if (failed) {
            throw new IllegalStateException("somebody crossed in the wrong phase");
        }
        System.out.println("DONE " + crossed);
    }
}
