// @lock SpaghettiWaiter$Waiter
// @type SEMAPHORE permits=4
// @role acquire SpaghettiWaiter$Waiter.askForSeat
// @role release SpaghettiWaiter$Waiter.sayThanks
//
// @lock SpaghettiWaiter$Fork
// @type LOCK reentrant=false
// @role lock SpaghettiWaiter$Fork.take
// @role unlock SpaghettiWaiter$Fork.putBack

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Dining philosophers with a waiter, who seats no more than four of the five, so that one of them can always eat. */
public class SpaghettiWaiter {
    static class Waiter {
        private int seated = 0;

        synchronized void askForSeat() throws InterruptedException {
            while (seated == 4) {
                wait();
            }
            seated++;
        }

        synchronized void sayThanks() {
            seated--;
            notify();
        }
    }

    static class Fork {
        private boolean inUse;
        private int philosopher = -1;

        synchronized void take(int who) throws InterruptedException {
            while (inUse) {
                wait();
            }
            inUse = true;
            philosopher = who;
        }

        synchronized void putBack(int who) {
            if (philosopher != who) {
                stolen.incrementAndGet();
            }
            philosopher = -1;
            inUse = false;
            notify();
        }
    }

    static final AtomicLong stolen = new AtomicLong();
    static final AtomicLong meals = new AtomicLong();

    static void philosopher(int me, Waiter waiter, Fork left, Fork right) {
        try {
            for (;;) {
                waiter.askForSeat();
                left.take(me);
                right.take(me);
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
                meals.incrementAndGet();
                right.putBack(me);
                left.putBack(me);
                waiter.sayThanks();
                Thread.sleep(ThreadLocalRandom.current().nextInt(0, 3));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Waiter waiter = new Waiter();
        Fork[] forks = new Fork[5];
        for (int i = 0; i < forks.length; i++) {
            forks[i] = new Fork();
        }
        for (int i = 0; i < forks.length; i++) {
            int me = i;
            Thread t = new Thread(() -> philosopher(me, waiter, forks[me], forks[(me + 1) % 5]), "philosopher-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (stolen.get() > 0 || meals.get() == 0) {
            throw new IllegalStateException(stolen + " forks stolen, " + meals + " meals");
        }
        System.out.println("DONE " + meals);
    }
}
