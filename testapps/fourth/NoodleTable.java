// @lock NoodleTable$Chopstick
// @type MUTEX
// @role enter NoodleTable$Philosopher.dine

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** The dining philosophers, cured by an order among the chopsticks: the lower number is always taken up first. */
public class NoodleTable {
    static final class Chopstick {
        final int number;
        int users;

        Chopstick(int number) {
            this.number = number;
        }
    }

    static final class Philosopher implements Runnable {
        private final Chopstick lower;
        private final Chopstick higher;

        Philosopher(Chopstick left, Chopstick right) {
            boolean inOrder = left.number < right.number;
            lower = inOrder ? left : right;
            higher = inOrder ? right : left;
        }

        private void dine() throws InterruptedException {
            synchronized (lower) {
                synchronized (higher) {
                    if (++lower.users != 1 || ++higher.users != 1) {
                        shared.incrementAndGet();
                    }
                    Thread.sleep(2);
                    lower.users--;
                    higher.users--;
                }
            }
            meals.incrementAndGet();
        }

        @Override
        public void run() {
            try {
                while (true) {
                    dine();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final AtomicInteger meals = new AtomicInteger();
    static final AtomicInteger shared = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Chopstick[] sticks = new Chopstick[5];
        for (int i = 0; i < 5; i++) {
            sticks[i] = new Chopstick(i);
        }
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(new Philosopher(sticks[i], sticks[(i + 1) % 5]), "philosopher-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (shared.get() != 0) {
            throw new IllegalStateException("a chopstick was in two mouths");
        }
        System.out.println("DONE " + meals);
    }
}
