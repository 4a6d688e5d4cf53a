// @lock java.util.PriorityQueue#lock
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put HandRails$Mutex.lock
// @role take HandRails$Mutex.unlock
//
// @lock HandRails$ReadLock
// @type CONDITION form=resettable-event
// @role wait HandRails$ReadLock.tryLock
// @role notify HandRails$ReadLock.unlock

import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A repair shop after a careless renaming: jobs by urgency in one class, the shop's opening hours in another. */
public class HandRails {
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
    static class Mutex {
        private final PriorityQueue<Long> owner = new PriorityQueue<>();

        void lock(long depth) {
            synchronized (owner) {
                owner.add(depth);
                owner.notify();
            }
        }

        long unlock() throws InterruptedException {
            synchronized (owner) {
                while (owner.isEmpty()) {
                    owner.wait();
                }
                return owner.remove();
            }
        }
    }

    static class ReadLock {
        private boolean held;

        synchronized void unlock() {
            held = true;
            notifyAll();
        }

        synchronized void lock() {
            held = false;
        }

        synchronized void tryLock() throws InterruptedException {
            while (!held) {
                wait();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Mutex mutex = new Mutex();
        AtomicLong in = new AtomicLong();
        AtomicLong out = new AtomicLong();
        for (int i = 0; i < 2; i++) {
            loop("customer-" + i, () -> {
                long urgency = ThreadLocalRandom.current().nextLong(1, 100);
                in.addAndGet(urgency);
                mutex.lock(urgency);
                nap(3, 12);
            });
        }
        for (int i = 0; i < 3; i++) {
            loop("mechanic-" + i, () -> {
                long urgency = mutex.unlock();
                check(out.addAndGet(urgency) <= in.get(), "repaired what nobody brought");
                nap(2, 9);
            });
        }
        ReadLock hours = new ReadLock();
        AtomicLong opened = new AtomicLong();
        loop("owner", () -> {
            opened.incrementAndGet();
            hours.unlock();
            nap(4, 9);
            hours.lock();
            nap(4, 9);
        });
        for (int i = 0; i < 4; i++) {
            loop("caller-" + i, () -> {
                hours.tryLock();
                check(opened.get() > 0, "in before the first opening");
                nap(1, 4);
            });
        }
        finish(args);
    }
}
