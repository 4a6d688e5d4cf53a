// The memoizer with a hand-made future: whoever finds no promise for a key computes it, the others await it.
// @lock GoetzMemo$Promise
// @type LATCH count=1 form=future
// @role count-down GoetzMemo$Promise.set
// @role await GoetzMemo$Promise.get
// @lock GoetzMemo$Memo
// @type MUTEX
// @role enter GoetzMemo$Memo.claim
// @role enter GoetzMemo$Memo.evict

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class GoetzMemo {
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

    static final class Promise<V> {
        private V value;
        private boolean done;

        synchronized void set(V v) {
            if (!done) {
                value = v;
                done = true;
                notifyAll();
            }
        }

        synchronized V get() throws InterruptedException {
            while (!done) {
                wait();
            }
            return value;
        }

        synchronized boolean isDone() {
            return done;
        }
    }

    static final class Claim {
        final Promise<Long> promise;
        final boolean mine;

        Claim(Promise<Long> promise, boolean mine) {
            this.promise = promise;
            this.mine = mine;
        }
    }

    static final class Memo {
        private final Map<Integer, Promise<Long>> map = new HashMap<>();
        private int hits;
        private int misses;

        synchronized Claim claim(int key) {
            Promise<Long> p = map.get(key);
            if (p != null) {
                hits++;
                return new Claim(p, false);
            }
            misses++;
            p = new Promise<>();
            map.put(key, p);
            return new Claim(p, true);
        }

        /** Walks the whole cache; slow, because it writes what it throws away. */
        synchronized int evict() throws InterruptedException {
            int gone = 0;
            Iterator<Promise<Long>> it = map.values().iterator();
            while (it.hasNext()) {
                if (it.next().isDone()) {
                    it.remove();
                    gone++;
                }
            }
            Thread.sleep(2);
            check(misses >= gone, "evicted more than computed");
            return gone;
        }

        Long compute(int key) throws InterruptedException {
            Claim c = claim(key);
            if (c.mine) {
                nap(6);
                c.promise.set((long) key * key + 1);
            }
            return c.promise.get();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Memo memo = new Memo();
        for (int i = 0; i < 6; i++) {
            go("client-" + i, () -> {
                int key = dice(3);
                check(memo.compute(key) == (long) key * key + 1, "value of " + key);
                OPS.incrementAndGet();
                nap(4);
            });
        }
        go("evictor", () -> {
            nap(3);
            memo.evict();
        });
        finish(args);
    }
}
