// @lock FloodGate$Switch
// @type CONDITION form=resettable-event
// @role wait FloodGate$Switch.awaitOn
// @role notify FloodGate$Switch.on

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A manual-reset event: workers run while it is set and stop at it while it is not; a controller sets and resets it. */
public final class FloodGate {
    static final class Switch {
        private boolean set;

        synchronized void on() {
            set = true;
            notifyAll();
        }

        synchronized void off() {
            set = false;
        }

        synchronized void awaitOn() throws InterruptedException {
            while (!set) {
                wait();
            }
        }
    }

    private static final AtomicLong steps = new AtomicLong();
    private static volatile boolean failed;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Switch gate = new Switch();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        gate.awaitOn();
                        steps.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "worker-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() - until < 0) {
            gate.on();
            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 10));
            gate.off();
            long before = steps.get();
            Thread.sleep(ThreadLocalRandom.current().nextInt(6, 12));
            failed |= steps.get() - before > 5; // each of the five may have been past the gate already, once
        }
        if (failed) {
            throw new IllegalStateException("workers went on while the gate was shut");
        }
        System.out.println("DONE " + steps);
    }
}
