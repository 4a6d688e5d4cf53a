// @lock Keeping$Door
// @type LOCK reentrant=false
// @role lock Keeping$Door.in
// @role unlock Keeping$Door.out
//
// @lock Keeping$Key
// @type SEMAPHORE permits=1
// @role acquire Keeping$Key.take
// @role release Keeping$Key.hang
//
// @lock Keeping$Pours
// @type SEMAPHORE form=rate-limiter
// @role acquire Keeping$Pours.drink
// @role release Keeping$Pours.pour
//
// @lock Keeping$Slow
// @type SEMAPHORE form=rate-limiter
// @role acquire Keeping$Slow.take
// @role release Keeping$Slow.add

/** Who holds it and who gives it back. */
public final class Keeping {
    static final Door DOOR = new Door();
    static final Key KEY = new Key();
    static final Pours POURS = new Pours();
    static final Slow SLOW = new Slow(5);

    /** A lock whose holder can step out and wait for a sign. */
    static final class Door {
        private Thread inside;
        private long signs;
        static volatile boolean alarm;

        synchronized void in() throws InterruptedException {
            while (inside != null) {
                wait();
            }
            inside = Thread.currentThread();
        }

        synchronized void out() {
            check();
            inside = null;
            notifyAll();
        }

        synchronized void stepOut() throws InterruptedException {
            check();
            long seen = signs;
            inside = null;
            notifyAll();
            while (signs == seen || inside != null) {
                wait();
            }
            inside = Thread.currentThread();
        }

        synchronized void sign() {
            check();
            signs++;
            notifyAll();
        }

        private void check() {
            if (inside != Thread.currentThread()) {
                alarm = true;
            }
        }
    }

    /** The first of a party takes it and the last hangs it back. */
    static final class Key {
        private boolean there = true;

        synchronized void take() throws InterruptedException {
            while (!there) {
                wait();
            }
            there = false;
        }

        synchronized void hang() {
            there = true;
            notify();
        }
    }

    static final class Party {
        private int size;

        synchronized void comes() throws InterruptedException {
            if (size == 0) {
                KEY.take();
            }
            size++;
        }

        synchronized void goes() {
            size--;
            if (size == 0) {
                KEY.hang();
            }
        }
    }

    /** What is poured beyond the brim is lost. */
    static final class Pours {
        private double level = 4;
        private final double brim = 4;

        synchronized void drink() throws InterruptedException {
            while (level < 1) {
                wait();
            }
            level -= 1;
        }

        synchronized void pour(double more) {
            level = Math.min(brim, level + more);
            notifyAll();
        }
    }

    /** The same, empty at first. */
    static final class Slow {
        private final int most;
        private double level;

        Slow(int most) {
            this.most = most;
        }

        synchronized void take() throws InterruptedException {
            while (level < 1) {
                wait();
            }
            level -= 1;
        }

        synchronized void add(double more) {
            level = Math.min(most, level + more);
            if (level >= 1) {
                notifyAll();
            }
        }
    }

    static void guest() throws InterruptedException {
        POURS.drink();
        SLOW.take();
    }

    static void waiter() {
        POURS.pour(1);
        SLOW.add(1);
    }
}
