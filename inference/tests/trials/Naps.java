// @lock Naps$Rest
// @type DELAY
// @role delay Naps$Rest.rest
//
// @lock java.lang.Object#turn
// @type DELAY
// @role delay Naps$Turn.turn
//
// @lock Naps$Busy
// @type DELAY
// @role delay Naps$Busy.work
//
// @lock Naps$Shut
// @type LATCH count=1
// @role count-down Naps$Shut.open
// @role await Naps$Shut.pass

import java.util.concurrent.TimeUnit;

/** Pauses that somebody can cut short, and a latch that is waited for a little at a time. */
class Naps {
    /** Whoever rests goes on after one wait. */
    static class Rest {
        private boolean awake;

        void rest() throws InterruptedException {
            synchronized (this) {
                if (!awake) {
                    wait(20);
                }
            }
        }

        void wake() {
            synchronized (this) {
                awake = true;
                notifyAll();
            }
        }

        synchronized void calm() {
            awake = false;
        }
    }

    /** Asks again after the wait, and goes either way. */
    static class Turn {
        private final Object gate = new Object();
        private boolean over;
        int turns;

        void turn() throws InterruptedException {
            while (true) {
                synchronized (gate) {
                    if (over) return;
                    gate.wait(20);
                    if (over) return;
                }
                turns++;
            }
        }

        void end() {
            synchronized (gate) {
                over = true;
                gate.notifyAll();
            }
        }
    }

    /** Does something after each wait, whatever ended it. */
    static class Busy {
        private boolean over;
        private int turns;

        synchronized void work() throws InterruptedException {
            while (!over) {
                wait(20);
                turns++;
            }
        }

        synchronized void end() {
            over = true;
            notifyAll();
        }
    }

    static class Shut {
        private boolean open;

        synchronized void pass() throws InterruptedException {
            while (!open) {
                wait(TimeUnit.SECONDS.toMillis(1));
            }
        }

        synchronized void open() {
            open = true;
            notifyAll();
        }
    }
}
