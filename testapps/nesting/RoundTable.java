// @edge RoundTable.eat -> RoundTable.eat
// @same RoundTable.eat cyclic
// @cycle RoundTable.eat
// @threads philosopher-0 philosopher-1 philosopher-2 philosopher-3 philosopher-4

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Five philosophers, five forks, the left one first. They have always got up again, since one of them at least was
 * still thinking: a count that no lock knows of sees to it.
 */
public final class RoundTable {
    private static final int SEATS = 5;
    private static final AtomicInteger sitting = new AtomicInteger();
    private static final AtomicLong done = new AtomicLong();
    private static volatile boolean open = true;
    private static volatile boolean broken;

    static final class Fork {
        private boolean raised;

        void raise() {
            broken |= raised;
            raised = true;
        }

        void lower() {
            raised = false;
        }
    }

    private static void eat(Fork left, Fork right) throws InterruptedException {
        synchronized (left) {
            left.raise();
            Thread.sleep(1);
            synchronized (right) {
                right.raise();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3));
                right.lower();
            }
            left.lower();
        }
        done.incrementAndGet();
    }

    private static boolean sitDown() {
        int now = sitting.get();
        return now < SEATS - 1 && sitting.compareAndSet(now, now + 1);
    }

    private static void philosopher(Fork left, Fork right) {
        try {
            while (open) {
                if (sitDown()) {
                    eat(left, right);
                    sitting.decrementAndGet();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(2));
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Fork[] forks = new Fork[SEATS];
        for (int seat = 0; seat < SEATS; seat++) {
            forks[seat] = new Fork();
        }
        for (int seat = 0; seat < SEATS; seat++) {
            Fork left = forks[seat];
            Fork right = forks[(seat + 1) % SEATS];
            Thread thread = new Thread(() -> philosopher(left, right), "philosopher-" + seat);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        open = false;
        if (broken || done.get() == 0) {
            throw new IllegalStateException("a fork in two hands, or nobody ate");
        }
        System.out.println("DONE " + done.get());
    }
}
