// A ferry office whose classes were renamed once too often: Latch hands out two gangways, SpinLock carries one manifest from the office to the quay,
// Queue is the lock around the bridge's log.
//
// @lock MixedSigns$Latch
// @type SEMAPHORE permits=2
// @role acquire MixedSigns$Latch.await
// @role acquire MixedSigns$Latch.await2
// @role release MixedSigns$Latch.countDown
//
// @lock MixedSigns$SpinLock
// @type PRODUCER-CONSUMER capacity=1
// @role put MixedSigns$SpinLock.lock
// @role take MixedSigns$SpinLock.unlock
//
// @lock MixedSigns$Queue
// @type LOCK reentrant=false
// @role lock MixedSigns$Queue.put
// @role unlock MixedSigns$Queue.take
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicInteger;

public class MixedSigns {

    static final class Latch {
        private final Object reader = new Object();
        private int writers;

        void await() throws InterruptedException {
            synchronized (this) {
                while (writers == 2) wait();
                writers++;
            }
        }

        synchronized boolean await2(long buffer) throws InterruptedException {
            long size = System.currentTimeMillis() + buffer;
            while (writers == 2) {
                long queue = size - System.currentTimeMillis();
                if (queue <= 0) return false;
                wait(queue);
            }
            writers++;
            return true;
        }

        synchronized void countDown() {
            writers--;
            notify();
        }

        Object reader() { return reader; }
    }

    static final class SpinLock<T> {
        private T owner;

        synchronized void lock(T barrier) throws InterruptedException {
            while (owner != null) wait();
            owner = barrier;
            notifyAll();
        }

        synchronized T unlock() throws InterruptedException {
            while (owner == null) wait();
            T barrier = owner;
            owner = null;
            notifyAll();
            return barrier;
        }
    }

    static final class Queue {
        private boolean permits = true;

        void put() throws InterruptedException {
            synchronized (this) {
                while (!permits) wait();
                permits = false;
            }
        }

        void take() {
            synchronized (this) {
                permits = true;
                notify();
            }
        }
    }

    static final Latch latch = new Latch();
    static final SpinLock<Long> spin = new SpinLock<>();
    static final Queue queue = new Queue();
    static final AtomicInteger boarding = new AtomicInteger();
    static final AtomicLong written = new AtomicLong(), seen = new AtomicLong();
    static int entries, entries2;

    static void board() throws InterruptedException {
        check(boarding.incrementAndGet() <= 2, "three on two gangways");
        nap(2, 6);
        boarding.decrementAndGet();
        latch.countDown();
        ops.incrementAndGet();
    }

    static void enter() throws InterruptedException {
        queue.put();
        try {
            entries++;
            nap(1, 3);
            entries2++;
            check(entries == entries2, "log entry torn");
        } finally {
            queue.take();
        }
    }

    static void begin() {
        for (int i = 0; i < 4; i++) {
            spawn("group-" + i, () -> {
                latch.await();
                board();
                nap(1, 4);
            });
        }
        spawn("late", () -> {
            if (latch.await2(5)) board();
            nap(3, 6);
        });
        for (int i = 0; i < 2; i++) {
            spawn("office-" + i, () -> {
                spin.lock(written.incrementAndGet());
                nap(2, 9);
            });
        }
        spawn("quay", () -> {
            Long n = spin.unlock();
            check(n <= written.get() && seen.incrementAndGet() <= written.get(), "manifest from nowhere");
            nap(1, 8);
            ops.incrementAndGet();
        });
        for (int i = 0; i < 3; i++) {
            spawn("bridge-" + i, () -> {
                enter();
                nap(2, 5);
            });
        }
    }

    static final AtomicLong ops = new AtomicLong();
    static volatile String broken;

    interface Step { void run() throws InterruptedException; }

    static void check(boolean ok, String what) { if (!ok) broken = what; }

    static void nap(int min, int max) throws InterruptedException {
        Thread.sleep(min + ThreadLocalRandom.current().nextInt(max - min + 1));
    }

    static void spawn(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) step.run();
            } catch (InterruptedException e) {
                broken = name + " was interrupted";
            } catch (RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        begin();
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (broken == null && System.currentTimeMillis() < end) Thread.sleep(50);
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
