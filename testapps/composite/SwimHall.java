// @lock SwimHall$Lockers
// @type SEMAPHORE permits=2
// @role acquire SwimHall$Lockers.acquire
// @role release SwimHall$Lockers.release

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Two lockers given out first come, first served: everybody who must wait does so on a monitor of his own. */
public final class SwimHall {
    static final class Lockers {
        private static final class Turn {
            private boolean called;

            synchronized void await() throws InterruptedException {
                while (!called) {
                    wait();
                }
            }

            synchronized void call() {
                called = true;
                notify();
            }
        }

        private final ArrayDeque<Turn> line = new ArrayDeque<>();
        private int free;

        Lockers(int n) {
            free = n;
        }

        void acquire() throws InterruptedException {
            Turn turn;
            synchronized (this) {
                if (free > 0) {
                    free--;
                    return;
                }
                turn = new Turn();
                line.addLast(turn);
            }
            turn.await();
        }

        void release() {
            Turn turn;
            synchronized (this) {
                turn = line.pollFirst();
                if (turn == null) {
                    free++;
                }
            }
            if (turn != null) {
                turn.call();
            }
        }
    }

    private static final AtomicInteger inWater = new AtomicInteger();
    private static final AtomicLong swims = new AtomicLong();
    private static volatile boolean failed;

    private static void swimmer(Lockers lockers) {
        try {
            while (!failed) {
                lockers.acquire();
                if (inWater.incrementAndGet() > 2) {
                    failed = true;
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                inWater.decrementAndGet();
                lockers.release();
                swims.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Lockers lockers = new Lockers(2);
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(() -> swimmer(lockers), "swimmer-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("three swimmers, two lockers");
        }
        System.out.println("DONE " + swims);
    }
}
