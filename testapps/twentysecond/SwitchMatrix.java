// @lock SwitchMatrix$Mutex
// @type SEMAPHORE permits=2
// @role acquire SwitchMatrix$Mutex.lock
// @role acquire SwitchMatrix$Mutex.tryLock
// @role release SwitchMatrix$Mutex.unlock
//
// @lock SwitchMatrix$Queue
// @type LOCK reentrant=true
// @role lock SwitchMatrix$Base.put
// @role unlock SwitchMatrix$Base.take
//
// @lock SwitchMatrix$Counter
// @type BARRIER parties=3
// @role arrive SwitchMatrix$Counter.decrement

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A time-switch with two cross-over buses, a connection memory that one thread may edit at a time, and three supervision tasks that take their readings together. The names are left over from other uses. */
public class SwitchMatrix {
    static volatile boolean stop;
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    /** Once was one bus. */
    static final class Mutex {
        private boolean left, right;

        private boolean full() { return left && right; }

        private boolean side() {
            if (!left) return left = true;
            right = true;
            return false;
        }

        synchronized boolean lock() throws InterruptedException {
            while (full()) wait();
            return side();
        }

        /** 0 left, 1 right, -1 neither in time. */
        synchronized int tryLock(int ms) throws InterruptedException {
            long t = System.nanoTime();
            while (full()) {
                long r = ms - (System.nanoTime() - t) / 1000000;
                if (r <= 0) return -1;
                wait(r);
            }
            return side() ? 0 : 1;
        }

        synchronized void unlock(boolean l) {
            if (l) left = false; else right = false;
            notifyAll();
        }
    }

    abstract static class Base {
        abstract boolean mayEnter(Thread t);
        abstract void entered(Thread t);
        abstract boolean left(Thread t);

        synchronized void put() throws InterruptedException {
            Thread t = Thread.currentThread();
            while (!mayEnter(t)) wait();
            entered(t);
        }

        synchronized void take() {
            if (left(Thread.currentThread())) notify();
        }
    }

    static final class Queue extends Base {
        private Thread t;
        private int depth;

        @Override boolean mayEnter(Thread c) { return depth == 0 || t == c; }

        @Override void entered(Thread c) {
            t = c;
            depth++;
        }

        @Override boolean left(Thread c) {
            if (t != c) throw new IllegalMonitorStateException("not the editor");
            return --depth == 0;
        }
    }

    static final class Counter {
        private int n;
        private boolean parity;

        synchronized void decrement() throws InterruptedException {
            boolean p = parity;
            if (++n < 3) {
                while (parity == p) wait();
                return;
            }
            n = 0;
            parity = !p;
            notifyAll();
        }
    }

    static final Mutex buses = new Mutex();
    static final Queue memory = new Queue();
    static final Counter counter = new Counter();
    static final AtomicInteger onBus = new AtomicInteger();
    static final int[] from = new int[16], to = new int[16];
    static final int[] reading = new int[3];

    static void transmit(int kind) throws InterruptedException {
        while (!stop) {
            boolean l;
            if (kind == 0) {
                int s = buses.tryLock(40);
                if (s < 0) continue;
                l = s == 0;
            } else {
                l = buses.lock();
            }
            if (onBus.incrementAndGet() > 2) broken = "three on two buses";
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
            onBus.decrementAndGet();
            buses.unlock(l);
            ops.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
        }
    }

    static void connect(int a, int b) throws InterruptedException {
        memory.put();
        try {
            from[a] = b;
            Thread.sleep(1);
            to[a] = b;
        } finally {
            memory.take();
        }
    }

    static void swap() throws InterruptedException {
        while (!stop) {
            int a = ThreadLocalRandom.current().nextInt(16), b = ThreadLocalRandom.current().nextInt(16);
            memory.put();
            try {
                int x = from[a], y = from[b];
                connect(a, y);
                connect(b, x);
                for (int i = 0; i < 16; i++) if (from[i] != to[i]) broken = "memory inconsistent";
            } finally {
                memory.take();
            }
            ops.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
        }
    }

    static void supervise(int id) throws InterruptedException {
        for (int i = 1; !stop; i++) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 9));
            synchronizedReading(id, i);
            for (int r : reading) if (r < i || r > i + 1) broken = "readings of different rounds";
        }
    }

    private static void synchronizedReading(int id, int i) throws InterruptedException {
        reading[id] = i;
        counter.decrement();
    }

    interface Body { void run() throws InterruptedException; }

    static void task(Body b) {
        Thread t = new Thread(() -> {
            try { b.run(); } catch (InterruptedException e) { broken = "interrupted"; }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 5; i++) {
            int kind = i % 2;
            task(() -> transmit(kind));
        }
        for (int i = 0; i < 3; i++) {
            int id = i;
            task(SwitchMatrix::swap);
            task(() -> supervise(id));
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) Thread.sleep(50);
        stop = true;
        System.out.println(broken == null ? "DONE " + ops : broken);
        System.exit(broken == null ? 0 : 1);
    }
}
