// @lock CountingHouse$ConnectionPool
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock CountingHouse$ConnectionPool.borrow
// @role read-unlock CountingHouse$ConnectionPool.giveBack
// @role write-lock CountingHouse$ConnectionPool.drain
// @role write-unlock CountingHouse$ConnectionPool.refill

// @lock CountingHouse$Condition
// @type JOIN
// @role join CountingHouse$Condition.await

// @lock CountingHouse$SharedBuffer
// @type NOT-SHARED
// @quiet

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stock-taking: the bins are read by counters and moved only when nobody reads. "ConnectionPool" once counted connections, "Condition" is the state of
 * health of a recount thread, and nobody shares a "SharedBuffer" any more.
 */
public class CountingHouse {
    static class ConnectionPool {
        private int borrowed;
        private int draining;
        private Thread drainer;

        void borrow() throws InterruptedException {
            synchronized (this) {
                while (drainer != null || draining > 0)
                    wait();
                borrowed++;
            }
        }

        void giveBack() {
            synchronized (this) {
                borrowed--;
                if (borrowed == 0 && draining > 0)
                    notifyAll();
            }
        }

        void drain() throws InterruptedException {
            synchronized (this) {
                draining++;
                while (drainer != null || borrowed > 0)
                    wait();
                draining--;
                drainer = Thread.currentThread();
            }
        }

        void refill() {
            synchronized (this) {
                if (drainer != Thread.currentThread())
                    throw new IllegalStateException("refilled by another thread");
                drainer = null;
                notifyAll();
            }
        }
    }

    /** Alive or over. */
    static class Condition {
        private boolean alive = true;

        synchronized void signal() {
            alive = false;
            notifyAll();
        }

        synchronized void await() throws InterruptedException {
            while (alive)
                wait();
        }
    }

    static class SharedBuffer {
        private final char[] text = new char[64];
        private int length;

        synchronized void append(char c) {
            if (length == text.length)
                flush();
            text[length++] = c;
        }

        synchronized String flush() {
            String s = new String(text, 0, length);
            length = 0;
            return s;
        }
    }

    static final ConnectionPool pool = new ConnectionPool();
    static final int[] bins = {50, 50, 50, 50};
    static volatile String failure;
    static final AtomicLong counts = new AtomicLong();

    static int count() throws InterruptedException {
        pool.borrow();
        try {
            int sum = bins[0] + bins[1];
            Thread.sleep(1);
            return sum + bins[2] + bins[3];
        } finally {
            pool.giveBack();
        }
    }

    static abstract class Worker extends Thread {
        final Random random = new Random();

        Worker(String name) {
            super(name);
            setDaemon(true);
        }

        abstract void work() throws InterruptedException;

        @Override
        public void run() {
            try {
                while (failure == null)
                    work();
            } catch (InterruptedException e) {
                failure = getName() + " interrupted";
            }
        }
    }

    static class Counter extends Worker {
        private final SharedBuffer tape = new SharedBuffer();

        Counter() {
            super("counter");
        }

        void work() throws InterruptedException {
            if (count() != 200)
                failure = "goods lost or found";
            tape.append('x');
            if (counts.incrementAndGet() % 40 == 0 && tape.flush().length() > 64)
                failure = "tape too long";
            sleep(2 + random.nextInt(6));
        }
    }

    static class Mover extends Worker {
        Mover() {
            super("mover");
        }

        void work() throws InterruptedException {
            pool.drain();
            try {
                int n = random.nextInt(10);
                bins[random.nextInt(2)] -= n;
                sleep(1);
                bins[2 + random.nextInt(2)] += n;
            } finally {
                pool.refill();
            }
            sleep(6 + random.nextInt(6));
        }
    }

    static class Recount implements Runnable {
        final Condition condition = new Condition();
        int difference = Integer.MAX_VALUE;

        public void run() {
            try {
                Thread.sleep(2);
                difference = count() - 200;
            } catch (InterruptedException e) {
                failure = "recount interrupted";
            }
            condition.signal();
        }
    }

    static class Chief extends Worker {
        Chief() {
            super("chief");
        }

        void work() throws InterruptedException {
            Recount r = new Recount();
            Thread t = new Thread(r, "recount");
            t.setDaemon(true);
            t.start();
            r.condition.await();
            if (r.difference != 0)
                failure = "recount differs by " + r.difference;
            sleep(5);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Worker[] workers = {new Counter(), new Counter(), new Counter(), new Mover(), new Mover(), new Chief()};
        for (Worker w : workers)
            w.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000L);
        if (failure != null) {
            System.out.println(failure);
            System.exit(1);
        }
        System.out.println("DONE " + counts);
    }
}
