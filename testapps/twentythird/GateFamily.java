// @lock GateFamily$OneKey
// @type LOCK reentrant=false
// @role lock GateFamily$Gate.enter
// @role unlock GateFamily$Gate.exit
//
// @lock GateFamily$Places
// @type SEMAPHORE permits=3
// @role acquire GateFamily$Gate.enter
// @role release GateFamily$Gate.exit
//
// @lock GateFamily$Archive
// @type READ-WRITE preference=fair reentrant=false
// @role read-lock GateFamily$Archive.startReading
// @role read-unlock GateFamily$Archive.stopReading
// @role write-lock GateFamily$Archive.startFiling
// @role write-unlock GateFamily$Archive.stopFiling

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A family of gates: the waiting is in the base class, what is waited for in the subclasses. An archive strictly in order of arrival. */
public class GateFamily {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    abstract static class Gate {
        final synchronized void enter() throws InterruptedException {
            while (!mayPass()) {
                wait();
            }
            passed();
        }

        final synchronized void exit() {
            left();
            notifyAll();
        }

        abstract boolean mayPass();

        abstract void passed();

        abstract void left();
    }

    static class OneKey extends Gate {
        private Thread keeper;

        @Override
        boolean mayPass() {
            return keeper == null;
        }

        @Override
        void passed() {
            keeper = Thread.currentThread();
        }

        @Override
        void left() {
            if (keeper != Thread.currentThread()) {
                throw new IllegalStateException("somebody else has the key");
            }
            keeper = null;
        }
    }

    static class Places extends Gate {
        private final boolean[] taken;

        Places(int n) {
            taken = new boolean[n];
        }

        private int find(boolean state) {
            for (int i = 0; i < taken.length; i++) {
                if (taken[i] == state) {
                    return i;
                }
            }
            return -1;
        }

        @Override
        boolean mayPass() {
            return find(false) >= 0;
        }

        @Override
        void passed() {
            taken[find(false)] = true;
        }

        @Override
        void left() {
            taken[find(true)] = false;
        }
    }

    static class Archive {
        private long nextNumber;
        private long called;
        private int readers;
        private boolean filing;

        synchronized void startReading() throws InterruptedException {
            long number = nextNumber++;
            while (number != called || filing) {
                wait();
            }
            readers++;
            called++;
            notifyAll();
        }

        synchronized void stopReading() {
            readers--;
            notifyAll();
        }

        synchronized void startFiling() throws InterruptedException {
            long number = nextNumber++;
            while (number != called || filing || readers > 0) {
                wait();
            }
            filing = true;
            called++;
        }

        synchronized void stopFiling() {
            filing = false;
            notifyAll();
        }
    }

    static int files;
    static int index;

    public static void main(String[] args) throws InterruptedException {
        Gate key = new OneKey();
        Gate places = new Places(3);
        AtomicInteger sole = new AtomicInteger();
        AtomicInteger parked = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            loop("driver-" + i, () -> {
                key.enter();
                check(sole.incrementAndGet() == 1, "two have the key");
                nap(1, 3);
                sole.decrementAndGet();
                key.exit();
                nap(1, 6);
            });
        }
        for (int i = 0; i < 6; i++) {
            loop("car-" + i, () -> {
                places.enter();
                check(parked.incrementAndGet() <= 3, "four cars in three places");
                nap(2, 7);
                parked.decrementAndGet();
                places.exit();
                nap(2, 6);
            });
        }
        Archive archive = new Archive();
        for (int i = 0; i < 3; i++) {
            loop("historian-" + i, () -> {
                archive.startReading();
                int n = files;
                nap(2, 5);
                check(n == files && n == index, "filed while read");
                archive.stopReading();
                nap(1, 6);
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("filing-clerk-" + i, () -> {
                archive.startFiling();
                files++;
                nap(1, 3);
                index++;
                archive.stopFiling();
                nap(4, 14);
            });
        }
        finish(args);
    }
}
