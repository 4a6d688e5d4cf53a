// @lock FiveForks$Fork
// @type LOCK reentrant=false
// @role lock FiveForks$Fork.pickUp
// @role unlock FiveForks$Fork.putDown
//
// @lock FiveForks$Footman
// @type SEMAPHORE permits=4
// @role acquire FiveForks$Footman.sit
// @role release FiveForks$Footman.getUp

import java.util.Random;

/** The dining philosophers with a footman who lets only four of the five sit down. */
public class FiveForks {
    static final int N = 5;

    static class Fork {
        private boolean taken = false;

        synchronized void pickUp() throws InterruptedException {
            while (taken) {
                wait();
            }
            taken = true;
        }

        synchronized void putDown() {
            taken = false;
            notify();
        }
    }

    static class Footman {
        private int seated;

        synchronized void sit() throws InterruptedException {
            while (seated == N - 1) {
                wait();
            }
            seated++;
        }

        synchronized void getUp() {
            if (seated-- == N - 1) {
                notifyAll();
            }
        }
    }

    static class Philosopher extends Thread {
        final Fork left;
        final Fork right;
        final Footman footman;
        final Random rnd;
        volatile boolean eating;
        volatile int meals;
        Philosopher neighbour;
        static volatile boolean badManners;

        Philosopher(int id, Fork left, Fork right, Footman footman) {
            super("philosopher-" + id);
            this.left = left;
            this.right = right;
            this.footman = footman;
            rnd = new Random(id);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!isInterrupted()) {
                    Thread.sleep(rnd.nextInt(4));
                    footman.sit();
                    left.pickUp();
                    right.pickUp();
                    eating = true;
                    if (neighbour.eating) {
                        badManners = true;
                    }
                    Thread.sleep(1 + rnd.nextInt(3));
                    meals++;
                    eating = false;
                    right.putDown();
                    left.putDown();
                    footman.getUp();
                }
            } catch (InterruptedException e) {
                badManners = true;
            }
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Fork[] forks = new Fork[N];
        for (int i = 0; i < N; i++) {
            forks[i] = new Fork();
        }
        Footman footman = new Footman();
        Philosopher[] table = new Philosopher[N];
        for (int i = 0; i < N; i++) {
            table[i] = new Philosopher(i, forks[i], forks[(i + 1) % N], footman);
        }
        for (int i = 0; i < N; i++) {
            table[i].neighbour = table[(i + 1) % N];
        }
        for (Philosopher p : table) {
            p.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (Philosopher.badManners) {
            System.out.println("neighbours ate at the same time");
            System.exit(1);
        }
        long meals = 0;
        for (Philosopher p : table) {
            meals += p.meals;
        }
        System.out.println("DONE " + meals);
    }
}
