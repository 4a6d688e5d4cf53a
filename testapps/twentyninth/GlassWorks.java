// @lock GlassWorks$Lock
// @type PRODUCER-CONSUMER capacity=4
// @role put GlassWorks$Lock.lock
// @role take GlassWorks$Lock.unlock
// @lock GlassWorks$Joiner
// @type BARRIER parties=3
// @role arrive GlassWorks$Joiner.join

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Glasses go through an air lock with four places to cool down: blown on one side, packed on the other.
 * The three blowers start every batch together.
 */
public class GlassWorks {

    static class Lock {
        private final long[] places = new long[4];
        private int in;
        private int out;

        /** Locks one glass in. */
        public synchronized void lock(long glass) throws InterruptedException {
            while (in - out == places.length) {
                wait();
            }
            places[in++ & 3] = glass;
            notifyAll();
        }

        /** Lets the one out that has been in for longest. */
        public synchronized long unlock() throws InterruptedException {
            while (in == out) {
                wait();
            }
            notifyAll();
            return places[out++ & 3];
        }
    }

    static class Joiner {
        private Object batch = new Object();
        private int joined;

        public synchronized void join() throws InterruptedException {
            Object mine = batch;
            if (++joined == 3) {
                joined = 0;
                batch = new Object();
                notifyAll();
                return;
            }
            while (batch == mine) {
                wait();
            }
        }
    }

    private static final AtomicLong blown = new AtomicLong();
    private static final AtomicLong packed = new AtomicLong();
    private static final long[] lastOf = new long[3];
    private static final int[] atBatch = new int[3];
    private static volatile String shards;

    static class Blower extends Thread {
        private final int id;
        private final Lock lock;
        private final Joiner joiner;

        Blower(int id, Lock lock, Joiner joiner) {
            this.id = id;
            this.lock = lock;
            this.joiner = joiner;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                long n = 0;
                for (int batch = 1; shards == null; batch++) {
                    atBatch[id] = batch;
                    joiner.join();
                    for (int b : atBatch) {
                        if (b < batch || b > batch + 1) {
                            shards = "batch " + b + " during " + batch;
                        }
                    }
                    for (int i = 0; i < 3; i++) {
                        lock.lock(++n * 3 + id);
                        blown.incrementAndGet();
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 12));
                }
            } catch (InterruptedException e) {
                shards = "blower sent home";
            }
        }
    }

    static class Packer extends Thread {
        private final Lock lock;

        Packer(Lock lock) {
            this.lock = lock;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (shards == null) {
                    long glass = lock.unlock();
                    int from = (int) (glass % 3);
                    if (glass / 3 != ++lastOf[from]) {
                        shards = "glass " + glass + " after " + lastOf[from];
                    }
                    packed.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                }
            } catch (InterruptedException e) {
                shards = "packer sent home";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Lock lock = new Lock();
        Joiner joiner = new Joiner();
        for (int i = 0; i < 3; i++) {
            new Blower(i, lock, joiner).start();
        }
        new Packer(lock).start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000L);
        long p = packed.get();
        if (shards != null || p > blown.get() + 3) {
            System.out.println("broken: " + shards);
            System.exit(1);
        }
        System.out.println("DONE " + p);
    }
}
