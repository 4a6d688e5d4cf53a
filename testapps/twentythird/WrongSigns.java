// @lock WrongSigns$Semaphore
// @type LOCK reentrant=false
// @role lock WrongSigns$Semaphore.read
// @role unlock WrongSigns$Semaphore.await
//
// @lock WrongSigns$Queue
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock WrongSigns$Queue.put
// @role read-unlock WrongSigns$Queue.done
// @role write-lock WrongSigns$Queue.take
// @role write-unlock WrongSigns$Queue.done
//
// @lock WrongSigns$Latch
// @type BARRIER parties=3
// @role arrive WrongSigns$Latch.acquire

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Every sign on these doors is wrong; what counts is what is behind them. */
public class WrongSigns {
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
    static class Semaphore {
        private Thread permits;

        synchronized void read() throws InterruptedException {
            Thread me = Thread.currentThread();
            if (permits == me) {
                throw new IllegalStateException("already inside");
            }
            while (permits != null) {
                wait();
            }
            permits = me;
        }

        synchronized void await() {
            if (permits != Thread.currentThread()) {
                throw new IllegalStateException("not inside");
            }
            permits = null;
            notify();
        }
    }

    static class Queue {
        private Thread head;
        private int size;

        synchronized void put() throws InterruptedException {
            while (head != null) {
                wait();
            }
            size++;
        }

        synchronized void take() throws InterruptedException {
            while (head != null || size > 0) {
                wait();
            }
            head = Thread.currentThread();
        }

        synchronized void done() {
            if (head == Thread.currentThread()) {
                head = null;
            } else {
                size--;
            }
            notifyAll();
        }
    }

    static class Latch {
        private final int count;
        private long opened;
        private int left;

        Latch(int count) {
            this.count = count;
        }

        synchronized long acquire() throws InterruptedException {
            long ticket = opened;
            left++;
            if (left < count) {
                while (ticket == opened) {
                    wait();
                }
            } else {
                left = 0;
                opened++;
                notifyAll();
            }
            return ticket;
        }
    }

    static int x;
    static int y;

    public static void main(String[] args) throws InterruptedException {
        Semaphore semaphore = new Semaphore();
        int[] inside = new int[1];
        for (int i = 0; i < 4; i++) {
            loop("producer-" + i, () -> {
                semaphore.read();
                check(++inside[0] == 1, "two inside");
                nap(1, 4);
                inside[0]--;
                semaphore.await();
                nap(1, 7);
            });
        }
        Queue queue = new Queue();
        for (int i = 0; i < 3; i++) {
            loop("writer-" + i, () -> {
                queue.put();
                int seen = x;
                nap(2, 5);
                check(seen == x && x == y, "half an edit seen");
                queue.done();
                nap(2, 9);
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("reader-" + i, () -> {
                queue.take();
                x++;
                nap(1, 3);
                y++;
                queue.done();
                nap(3, 12);
            });
        }
        Latch latch = new Latch(3);
        AtomicIntegerArray steps = new AtomicIntegerArray(3);
        for (int i = 0; i < 3; i++) {
            int me = i;
            loop("permit-" + i, () -> {
                nap(2, 8);
                int mine = steps.incrementAndGet(me);
                check(latch.acquire() == mine - 1, "wrong round");
                for (int k = 0; k < 3; k++) {
                    check(steps.get(k) - mine >> 1 == 0, "out of step");
                }
            });
        }
        finish(args);
    }
}
