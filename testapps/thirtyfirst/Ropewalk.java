// @lock Ropewalk$ObjectPool
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock Ropewalk$ObjectPool.borrow
// @role read-unlock Ropewalk$ObjectPool.giveBack
// @role write-lock Ropewalk$ObjectPool.evict
// @role write-unlock Ropewalk$ObjectPool.giveBack

// @lock Ropewalk$CountDownLatch
// @type PRODUCER-CONSUMER capacity=4
// @role put Ropewalk$CountDownLatch.countDown
// @role take Ropewalk$CountDownLatch.await

// @lock Ropewalk$Mutex
// @type CONDITION
// @role wait Ropewalk$Mutex.lock
// @role notify Ropewalk$Mutex.unlock

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A ropewalk with class names that say something else than the classes do. */
public class Ropewalk {
    /** The walk itself: spinners go along it together, the tarrer has it alone. -1: he has. */
    static class ObjectPool {
        private int n;

        synchronized void borrow() throws InterruptedException {
            while (n < 0) {
                wait();
            }
            n++;
        }

        synchronized void evict() throws InterruptedException {
            while (n != 0) {
                wait();
            }
            n = -1;
        }

        synchronized void giveBack() {
            if (n < 0) {
                n = 0;
            } else {
                n--;
            }
            if (n == 0) {
                notifyAll();
            }
        }
    }

    /** Four hooks for hanks. */
    static class CountDownLatch {
        private final ArrayDeque<Integer> hooks = new ArrayDeque<>();
        private int free = 4;

        synchronized void countDown(int hank) throws InterruptedException {
            while (free == 0) {
                wait();
            }
            free--;
            hooks.push(hank);
            notifyAll();
        }

        synchronized int await() throws InterruptedException {
            while (hooks.isEmpty()) {
                wait();
            }
            free++;
            notifyAll();
            return hooks.pop();
        }
    }

    /** How much of the order has been spun. */
    static class Mutex {
        private int metres;

        synchronized void lock(int m) throws InterruptedException {
            while (metres < m) {
                wait();
            }
        }

        synchronized void unlock() {
            metres++;
            notifyAll();
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
        ObjectPool walk = new ObjectPool();
        CountDownLatch hooks = new CountDownLatch();
        Mutex spun = new Mutex();
        AtomicInteger in = new AtomicInteger();
        AtomicInteger there = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            loop("spinner-" + i, () -> {
                walk.borrow();
                in.incrementAndGet();
                pause(1, 4);
                in.decrementAndGet();
                walk.giveBack();
                spun.unlock();
                hooks.countDown(1);
                check(there.incrementAndGet() <= 6, "hooks");
                pause(1, 4);
            });
        }
        loop("tarrer", () -> {
            walk.evict();
            check(in.get() == 0, "tarred a spinner");
            pause(1, 4);
            walk.giveBack();
            pause(4, 9);
        });
        for (int i = 0; i < 2; i++) {
            int[] at = {0};
            loop("layer-" + i, () -> {
                hooks.await();
                there.decrementAndGet();
                pause(1, 3);
                if (ThreadLocalRandom.current().nextInt(20) == 0) {
                    pause(10, 20);
                }
            });
            loop("clerk-" + i, () -> spun.lock(++at[0]));
        }
        finish(args);
    }
}
