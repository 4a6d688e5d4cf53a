// Anderson's array lock made of monitors: a number from a dispenser, and a slot of the ring to wait at.
// @lock AndersonRing$Slot
// @type LOCK reentrant=false
// @role lock AndersonRing$RingLock.lock
// @role unlock AndersonRing$RingLock.unlock
// @lock AndersonRing$Tally
// @type MUTEX
// @role enter AndersonRing$Tally.count
// @role enter AndersonRing$Tally.total
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class AndersonRing {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    static final class Slot {
        private boolean mayEnter;

        Slot(boolean mayEnter) {
            this.mayEnter = mayEnter;
        }
    }

    static final class RingLock {
        private final Slot[] slots;
        private int next;
        /** The slot of the thread that is inside; written by that thread only. */
        private int holder;

        RingLock(int threads) {
            slots = new Slot[threads];
            for (int i = 0; i < threads; i++) {
                slots[i] = new Slot(i == 0);
            }
        }

        void lock() throws InterruptedException {
            int mine;
            synchronized (this) {
                mine = next;
                next = (next + 1) % slots.length;
            }
            Slot slot = slots[mine];
            synchronized (slot) {
                while (!slot.mayEnter) {
                    slot.wait();
                }
                slot.mayEnter = false;
            }
            holder = mine;
        }

        void unlock() {
            Slot slot = slots[(holder + 1) % slots.length];
            synchronized (slot) {
                slot.mayEnter = true;
                slot.notify();
            }
        }
    }

    static final class Tally {
        private final long[] perThread = new long[5];

        synchronized void count(int thread) {
            perThread[thread]++;
        }

        synchronized long total() {
            long sum = 0;
            for (long n : perThread) {
                sum += n;
            }
            return sum;
        }
    }

    final RingLock lock = new RingLock(8);
    final Tally tally = new Tally();
    long plain;
    boolean inside;

    void visit(int thread) throws InterruptedException {
        lock.lock();
        try {
            check(!inside, "two inside");
            inside = true;
            plain++;
            nap(2);
            inside = false;
        } finally {
            lock.unlock();
        }
        tally.count(thread);
        OPS.incrementAndGet();
        nap(6);
    }

    public static void main(String[] args) throws InterruptedException {
        AndersonRing ring = new AndersonRing();
        for (int i = 0; i < 5; i++) {
            int thread = i;
            go("thread-" + i, () -> ring.visit(thread));
        }
        go("auditor", () -> {
            Thread.sleep(50);
            ring.lock.lock();
            long visits = ring.plain;
            ring.lock.unlock();
            long counted = ring.tally.total();
            check(counted >= visits - 5, "counted " + counted + " of " + visits);
        });
        finish(args);
    }
}
