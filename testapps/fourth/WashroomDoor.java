// @lock WashroomDoor$CountingSemaphore
// @type SEMAPHORE
// @role acquire WashroomDoor$CountingSemaphore.acquire
// @role release WashroomDoor$CountingSemaphore.release
//
// @lock WashroomDoor$Lightswitch
// @type MUTEX
// @role enter WashroomDoor$Lightswitch.on
// @role enter WashroomDoor$Lightswitch.off

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A washroom for women or for men, never both, three at a time: the first one in takes the room, the last one out gives it back. */
public final class WashroomDoor {
    static final class CountingSemaphore {
        private int permits;

        CountingSemaphore(int permits) {
            this.permits = permits;
        }

        void acquire() throws InterruptedException {
            synchronized (this) {
                while (permits == 0) {
                    wait();
                }
                permits--;
            }
        }

        void release() {
            synchronized (this) {
                permits++;
                notifyAll();
            }
        }
    }

    static final class Lightswitch {
        private int inside;

        synchronized void on(CountingSemaphore room) throws InterruptedException {
            inside++;
            if (inside == 1) {
                room.acquire();
            }
        }

        synchronized void off(CountingSemaphore room) {
            inside--;
            if (inside == 0) {
                room.release();
            }
        }
    }

    static final class Kind {
        final Lightswitch light = new Lightswitch();
        final CountingSemaphore places = new CountingSemaphore(3);
        final int index;

        Kind(int index) {
            this.index = index;
        }
    }

    private static final CountingSemaphore empty = new CountingSemaphore(1);
    private static final AtomicIntegerArray inside = new AtomicIntegerArray(2);
    private static final AtomicLong visits = new AtomicLong();
    private static final AtomicLong scandals = new AtomicLong();

    private static void employee(Kind kind) {
        try {
            for (;;) {
                kind.light.on(empty);
                kind.places.acquire();
                int mine = inside.incrementAndGet(kind.index);
                if (mine > 3 || inside.get(1 - kind.index) > 0) {
                    scandals.incrementAndGet();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                inside.decrementAndGet(kind.index);
                kind.places.release();
                kind.light.off(empty);
                visits.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Kind[] kinds = {new Kind(0), new Kind(1)};
        for (int i = 0; i < 10; i++) {
            Kind kind = kinds[i % 2];
            Thread t = new Thread(() -> employee(kind), (i % 2 == 0 ? "woman-" : "man-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (scandals.get() > 0) {
            throw new IllegalStateException(scandals + " scandals");
        }
        System.out.println("DONE " + visits);
    }
}
