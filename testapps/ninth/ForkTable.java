// @lock ForkTable$Fork
// @type LOCK reentrant=false
// @role lock ForkTable$Fork.pickUp
// @role unlock ForkTable$Fork.putDown

import java.util.Random;

/** The dining philosophers of every course, the version where all pick up the fork with the smaller number first. */
public class ForkTable {
    static class Fork {
        private final int number;
        private Philosopher holder;

        Fork(int number) {
            this.number = number;
        }

        synchronized void pickUp(Philosopher p) throws InterruptedException {
            while (holder != null) {
                wait();
            }
            holder = p;
        }

        synchronized void putDown(Philosopher p) {
            if (holder != p) {
                throw new IllegalStateException("fork " + number + " is not held by " + p.getName());
            }
            holder = null;
            notify();
        }
    }

    static class Philosopher extends Thread {
        private final Fork first;
        private final Fork second;
        private final Random random;
        volatile int meals;
        volatile boolean eating;
        Philosopher leftNeighbour;
        Philosopher rightNeighbour;

        Philosopher(String name, Fork left, Fork right) {
            super(name);
            boolean lefty = left.number < right.number;
            first = lefty ? left : right;
            second = lefty ? right : left;
            random = new Random(name.hashCode());
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (failure == null) {
                    sleep(random.nextInt(3));
                    first.pickUp(this);
                    try {
                        second.pickUp(this);
                        try {
                            eat();
                        } finally {
                            second.putDown(this);
                        }
                    } finally {
                        first.putDown(this);
                    }
                }
            } catch (InterruptedException e) {
                failure = getName() + " was called away";
            }
        }

        private void eat() throws InterruptedException {
            eating = true;
            if (leftNeighbour.eating || rightNeighbour.eating) {
                failure = getName() + " eats with a neighbour's fork";
            }
            sleep(1 + random.nextInt(3));
            meals++;
            eating = false;
        }
    }

    static volatile String failure;

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        String[] names = {"Aristotle", "Boethius", "Cicero", "Diogenes", "Epicurus"};
        Fork[] forks = new Fork[names.length];
        for (int i = 0; i < forks.length; i++) {
            forks[i] = new Fork(i);
        }
        Philosopher[] table = new Philosopher[names.length];
        for (int i = 0; i < table.length; i++) {
            table[i] = new Philosopher(names[i], forks[i], forks[(i + 1) % forks.length]);
        }
        for (int i = 0; i < table.length; i++) {
            table[i].rightNeighbour = table[(i + 1) % table.length];
            table[i].leftNeighbour = table[(i + table.length - 1) % table.length];
        }
        for (Philosopher p : table) {
            p.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (failure != null) {
            System.out.println(failure);
            System.exit(1);
        }
        int meals = 0;
        for (Philosopher p : table) {
            if (p.meals == 0) {
                System.out.println(p.getName() + " starved");
                System.exit(1);
            }
            meals += p.meals;
        }
        System.out.println("DONE " + meals);
    }
}
