// @lock Philosophers$Room
// @type SEMAPHORE permits=4
// @role acquire Philosophers$Room.sitDown
// @role release Philosophers$Room.getUp
// @lock Philosophers$Fork
// @type LOCK reentrant=false
// @role lock Philosophers$Fork.pickUp
// @role unlock Philosophers$Fork.putDown

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/** The dining philosophers: five forks, five places, and a room that admits four so that one can always eat. */
public class Philosophers {
    static class Room {
        private int seats;

        Room(int seats) {
            this.seats = seats;
        }

        /** P, or down. */
        synchronized void sitDown() throws InterruptedException {
            while (seats <= 0) {
                wait();
            }
            seats--;
        }

        /** V, or up. */
        synchronized void getUp() {
            seats++;
            notify();
        }
    }

    static class Fork {
        private Philosopher user;

        synchronized void pickUp(Philosopher philosopher) throws InterruptedException {
            while (user != null) {
                wait();
            }
            user = philosopher;
        }

        synchronized void putDown(Philosopher philosopher) {
            if (user != philosopher) {
                throw new IllegalStateException("not your fork");
            }
            user = null;
            notify();
        }
    }

    static final int N = 5;
    static final AtomicLongArray meals = new AtomicLongArray(N);
    static final boolean[] eating = new boolean[N];
    static volatile Throwable fault;

    static class Philosopher extends Thread {
        private final int seat;
        private final Fork left;
        private final Fork right;
        private final Room room;

        Philosopher(int seat, Fork left, Fork right, Room room) {
            super("philosopher " + seat);
            this.seat = seat;
            this.left = left;
            this.right = right;
            this.room = room;
            setDaemon(true);
        }

        @Override
        public void run() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            try {
                while (fault == null) {
                    sleep(random.nextInt(1, 3));
                    room.sitDown();
                    left.pickUp(this);
                    sleep(1);
                    right.pickUp(this);
                    eating[seat] = true;
                    if (eating[(seat + 1) % N] || eating[(seat + N - 1) % N]) {
                        throw new IllegalStateException("neighbours eat at the same time");
                    }
                    sleep(random.nextInt(1, 3));
                    eating[seat] = false;
                    right.putDown(this);
                    left.putDown(this);
                    room.getUp();
                    meals.incrementAndGet(seat);
                }
            } catch (Throwable t) {
                fault = t;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Room room = new Room(N - 1);
        Fork[] forks = new Fork[N];
        for (int i = 0; i < N; i++) {
            forks[i] = new Fork();
        }
        for (int i = 0; i < N; i++) {
            new Philosopher(i, forks[i], forks[(i + 1) % N], room).start();
        }
        System.out.println("READY");
        Thread.sleep(1000L * seconds);
        long sum = 0;
        for (int i = 0; i < N; i++) {
            sum += meals.get(i);
            if (meals.get(i) == 0) {
                System.out.println("philosopher " + i + " starved");
                System.exit(1);
            }
        }
        if (fault != null) {
            fault.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + sum);
    }
}
