// @lock LiftHall$Latch
// @type SEMAPHORE permits=2
// @role acquire LiftHall$Latch.engage
// @role release LiftHall$Latch.disengage
// @lock LiftHall$Mutex
// @type PRODUCER-CONSUMER capacity=4
// @role put LiftHall$Mutex.lock
// @role take LiftHall$Mutex.unlock

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Pallets go up in two lifts. The names come from the firm that built the lifts. */
public class LiftHall {
    /** The bolts of the lift doors: two, so two pallets may be on their way. */
    static class Latch {
        private final boolean[] bolt = new boolean[2];

        synchronized int engage() throws InterruptedException {
            for (;;) {
                for (int i = 0; i < bolt.length; i++) {
                    if (!bolt[i]) {
                        bolt[i] = true;
                        return i;
                    }
                }
                wait();
            }
        }

        synchronized void disengage(int i) {
            bolt[i] = false;
            notify();
        }
    }

    /** "Moving Until Transport EXit": pallets locked onto the belt, and unlocked from it, in their order. */
    static class Mutex {
        private final int[] belt = new int[4];
        private long in;
        private long out;

        void lock(int pallet) throws InterruptedException {
            synchronized (this) {
                while (in - out >= belt.length) {
                    wait();
                }
                belt[(int) (in++ % belt.length)] = pallet;
                notifyAll();
            }
        }

        int unlock() throws InterruptedException {
            synchronized (this) {
                while (in == out) {
                    wait();
                }
                int p = belt[(int) (out++ % belt.length)];
                notifyAll();
                return p;
            }
        }
    }

    private final Latch latch = new Latch();
    private final Mutex mutex = new Mutex();
    private final AtomicInteger moving = new AtomicInteger();
    private final AtomicInteger loaded = new AtomicInteger();
    private final AtomicInteger stored = new AtomicInteger();
    private volatile String alarm;
    private volatile boolean evening;

    private void ground(int who) {
        try {
            while (!evening) {
                int lift = latch.engage();
                if (moving.incrementAndGet() > 2) {
                    alarm = "three pallets in two lifts";
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
                moving.decrementAndGet();
                latch.disengage(lift);
                for (int i = 0; i < 3; i++) {
                    mutex.lock(who);
                    loaded.incrementAndGet();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            }
        } catch (InterruptedException e) {
            alarm = "interrupted";
        }
    }

    private void attic() {
        try {
            for (;;) {
                int who = mutex.unlock();
                if (who < 1 || who > 4) {
                    alarm = "a pallet of " + who;
                }
                stored.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            }
        } catch (InterruptedException e) {
            // home
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        LiftHall hall = new LiftHall();
        Thread[] ground = new Thread[4];
        Thread[] attic = new Thread[2];
        for (int i = 0; i < attic.length; i++) {
            attic[i] = new Thread(hall::attic, "attic-" + i);
            attic[i].setDaemon(true);
            attic[i].start();
        }
        for (int i = 0; i < ground.length; i++) {
            int who = i + 1;
            ground[i] = new Thread(() -> hall.ground(who), "ground-" + who);
            ground[i].setDaemon(true);
            ground[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        hall.evening = true;
        for (Thread t : ground) {
            t.join(10_000);
        }
        for (int i = 0; i < 500 && hall.stored.get() < hall.loaded.get(); i++) {
            Thread.sleep(20);
        }
        for (Thread t : attic) {
            t.interrupt();
            t.join(10_000);
        }
        if (hall.alarm != null || hall.stored.get() != hall.loaded.get()) {
            System.out.println(hall.alarm + ", loaded " + hall.loaded + ", stored " + hall.stored);
            System.exit(1);
        }
        System.out.println("DONE " + hall.stored);
    }
}
