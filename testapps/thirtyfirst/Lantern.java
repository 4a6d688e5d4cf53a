// @lock Lantern$Semaphore
// @type LATCH count=2
// @role count-down Lantern$Semaphore.acquire
// @role await Lantern$Semaphore.release

// @lock Lantern$BlockingQueue
// @type LOCK reentrant=false
// @role lock Lantern$BlockingQueue.take
// @role unlock Lantern$BlockingQueue.put

// @lock Lantern$CyclicBarrier
// @type MUTEX
// @role enter Lantern$CyclicBarrier.await
// @role enter Lantern$CyclicBarrier.reset

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A lighthouse whose classes have kept the names of something else. */
public class Lantern {
    /** Lit once both wicks burn. */
    static final class Semaphore {
        private boolean left;
        private boolean right;

        synchronized void acquire(boolean leftOne) {
            if (leftOne) {
                left = true;
            } else {
                right = true;
            }
            if (left && right) {
                notifyAll();
            }
        }

        synchronized void release() throws InterruptedException {
            while (!left || !right) {
                wait();
            }
        }
    }

    /** Who winds the clockwork. */
    static final class BlockingQueue {
        private String keeper;

        synchronized void take(String name) throws InterruptedException {
            while (keeper != null) {
                wait();
            }
            keeper = name;
        }

        synchronized void put(String name) {
            if (!name.equals(keeper)) {
                throw new IllegalStateException(name);
            }
            keeper = null;
            notify();
        }
    }

    /** The oil that is left. */
    static final class CyclicBarrier {
        private int oil = 1000;
        private int used;

        synchronized void await(int n) throws InterruptedException {
            oil -= n;
            Thread.sleep(1);
            used += n;
        }

        synchronized void reset() {
            check(oil + used == 1000, "oil lost");
            oil = 1000;
            used = 0;
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue clock = new BlockingQueue();
        CyclicBarrier tank = new CyclicBarrier();
        AtomicInteger winding = new AtomicInteger();
        Queue<Semaphore> wicks = new java.util.concurrent.ConcurrentLinkedQueue<>();
        for (int i = 0; i < 4; i++) {
            String name = "keeper-" + i;
            loop(name, () -> {
                clock.take(name);
                check(winding.incrementAndGet() == 1, "two wind");
                pause(1, 4);
                winding.decrementAndGet();
                clock.put(name);
                tank.await(1);
                if (ThreadLocalRandom.current().nextInt(10) == 0) {
                    tank.reset();
                }
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("lighter-" + i, () -> {
                Semaphore s = wicks.poll();
                pause(1, 5);
                if (s != null) {
                    s.acquire(true);
                }
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("ship-" + i, () -> {
                Semaphore s = new Semaphore();
                wicks.add(s);
                pause(0, 4);
                s.acquire(false);
                s.release();
            });
        }
        finish(args);
    }
}
