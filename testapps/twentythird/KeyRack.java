// @lock KeyRack
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire KeyRack.fetch
// @role release KeyRack.hang
//
// @lock KeyRack$Patrol
// @type DELAY
// @role delay KeyRack$Patrol.rest

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A rack of four numbered keys, kept as a bit mask; guards on patrol rest by waiting on themselves. */
public class KeyRack {
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
    private int hanging;

    KeyRack(int keys) {
        hanging = (1 << keys) - 1;
    }

    private int lowest() {
        return Integer.numberOfTrailingZeros(hanging);
    }

    synchronized int fetch() throws InterruptedException {
        while (hanging == 0) {
            wait();
        }
        int key = lowest();
        hanging &= hanging - 1;
        return key;
    }

    synchronized void hang(int key) {
        if ((hanging & 1 << key) != 0) {
            throw new IllegalStateException("key " + key + " hangs already");
        }
        hanging |= 1 << key;
        notifyAll();
    }

    static class Patrol {
        private int rounds;

        synchronized void rest(long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1_000_000;
            for (long left = millis; left > 0; left = (end - System.nanoTime() + 999_999) / 1_000_000) {
                wait(left);
            }
            rounds++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        KeyRack rack = new KeyRack(4);
        AtomicIntegerArray held = new AtomicIntegerArray(4);
        for (int i = 0; i < 7; i++) {
            loop("visitor-" + i, () -> {
                int key = rack.fetch();
                check(held.incrementAndGet(key) == 1, "key given out twice");
                nap(3, 9);
                held.decrementAndGet(key);
                rack.hang(key);
                nap(1, 4);
            });
        }
        for (int i = 0; i < 2; i++) {
            Patrol patrol = new Patrol();
            int pace = 6 + 5 * i;
            loop("guard-" + i, () -> {
                long before = System.nanoTime();
                patrol.rest(pace);
                check(System.nanoTime() - before >= pace * 900_000L, "rest cut short");
            });
        }
        finish(args);
    }
}
