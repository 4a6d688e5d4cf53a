// @lock SafePoint$World
// @type CONDITION
// @role wait SafePoint$World.park
// @role wait SafePoint$World.stopAll
// @role notify SafePoint$World.park
// @role notify SafePoint$World.resumeAll

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** A little virtual machine: mutators look now and then whether the collector wants the world to stop, and then they do. */
public final class SafePoint {
    static final class World {
        private final int mutators;
        private int parked;
        private volatile boolean wanted;

        World(int mutators) {
            this.mutators = mutators;
        }

        void poll() throws InterruptedException {
            if (wanted) {
                park();
            }
        }

        private synchronized void park() throws InterruptedException {
            parked++;
            if (parked == mutators) {
                notifyAll();
            }
            try {
                while (wanted) {
                    wait();
                }
            } finally {
                parked--;
            }
        }

        synchronized void stopAll() throws InterruptedException {
            wanted = true;
            while (parked < mutators) {
                wait();
            }
        }

        synchronized void resumeAll() {
            wanted = false;
            notifyAll();
        }
    }

    private static final int MUTATORS = 4;
    private static final AtomicLongArray made = new AtomicLongArray(MUTATORS);
    private static final AtomicLongArray dropped = new AtomicLongArray(MUTATORS);
    private static final AtomicLong collections = new AtomicLong();
    private static volatile boolean stop;
    private static volatile boolean broken;

    private static void mutate(World world, int me) {
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        try {
            while (true) {
                world.poll();
                int objects = dice.nextInt(10);
                made.addAndGet(me, objects);
                Thread.sleep(dice.nextInt(1, 3));
                dropped.addAndGet(dice.nextInt(MUTATORS), objects);
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    private static long sum(AtomicLongArray a) {
        long n = 0;
        for (int i = 0; i < a.length(); i++) {
            n += a.get(i);
        }
        return n;
    }

    private static void collect(World world) {
        try {
            while (!stop) {
                world.stopAll();
                long live = sum(made) - sum(dropped);
                Thread.sleep(1);
                broken |= live != 0 || sum(made) != sum(dropped);
                world.resumeAll();
                collections.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
            }
        } catch (InterruptedException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        World world = new World(MUTATORS);
        for (int i = 0; i < MUTATORS; i++) {
            int me = i;
            Thread t = new Thread(() -> mutate(world, me), "mutator-" + i);
            t.setDaemon(true);
            t.start();
        }
        Thread collector = new Thread(() -> collect(world), "collector");
        collector.start();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        stop = true;
        collector.join(5_000);
        if (broken || collector.isAlive()) {
            throw new IllegalStateException("something moved while the world was stopped");
        }
        System.out.println("DONE " + collections);
    }
}
