// @lock Naps$Rest
// @type DELAY
// @role delay Naps$Rest.rest
//
// @lock java.lang.Object#turn
// @type DELAY
// @role delay Naps$Turn.turn
//
// @lock Naps$Busy
// @type LATCH count=1
// @role count-down Naps$Busy.end
// @role await Naps$Busy.work
//
// @lock Naps$Ticks
// @type DELAY
// @role delay Naps$Ticks.tick
//
// @lock Naps$Owed
// @type SEMAPHORE
// @role acquire Naps$Owed.pay
// @role release Naps$Owed.owe
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

    /** Counts its waits: that alone makes no pause of them. */
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

    /** Is told to look at once, and looks anyhow; what it counts nobody else does. */
    static class Ticks {
        private boolean told;
        private int ticks;

        void tick() throws InterruptedException {
            synchronized (this) {
                if (!told) {
                    wait(20);
                }
                told = false;
                ticks++;
            }
        }

        synchronized void tell() {
            told = true;
            notify();
        }
    }

    /** What it counts down others count up. */
    static class Owed {
        private int owed;

        void pay() throws InterruptedException {
            synchronized (this) {
                if (owed == 0) {
                    wait(20);
                }
                owed--;
            }
        }

        synchronized void owe() {
            owed++;
            notify();
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
