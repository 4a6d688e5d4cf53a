// @lock java.util.ArrayList#landed
// @type LATCH count=5
// @role count-down Barite$Arrival.landed
// @role count-down Barite$Arrival.missing
// @role await Barite$Arrival.complete
//
// @lock Barite$Patrol
// @type JOIN
// @role join Barite$Patrol.home
//
// @lock Barite$Heart
// @type DELAY
// @role delay Barite$Heart.beat

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A bird station: swarms of five that have all landed or are given up, patrols awaited on their own thread, and a heart beat for every keeper. */
public final class Barite {
    /** Not found birds count too: the swarm is complete when nothing is left to be expected. */
    static final class Arrival {
        private final List<String> birds = new ArrayList<>();
        private int expected = 5;
        private int lost;

        void landed(String name) {
            synchronized (birds) {
                birds.add(name);
                oneLess();
            }
        }

        void missing() {
            synchronized (birds) {
                lost++;
                oneLess();
            }
        }

        private void oneLess() {
            if (expected > 0) {
                expected--;
            }
            if (expected == 0) {
                birds.notifyAll();
            }
        }

        int complete() {
            boolean interrupted = false;
            try {
                synchronized (birds) {
                    while (expected > 0) {
                        try {
                            birds.wait();
                        } catch (InterruptedException e) {
                            interrupted = true;
                        }
                    }
                    return birds.size() + lost;
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    static final class Patrol extends Thread {
        private final Arrival arrival;
        private boolean seen;

        Patrol(Arrival arrival) {
            this.arrival = arrival;
        }

        @Override
        public void run() {
            try {
                sleep(ThreadLocalRandom.current().nextInt(1, 6));
                if (ThreadLocalRandom.current().nextInt(8) > 0) {
                    arrival.landed(getName());
                } else {
                    arrival.missing();
                }
                sleep(ThreadLocalRandom.current().nextInt(3));
                seen = true;
            } catch (InterruptedException e) {
                interrupt();
            }
        }

        /** True once this patrol has ended; false if it has not within the time. */
        synchronized boolean home(long millis) throws InterruptedException {
            long until = System.currentTimeMillis() + millis;
            for (long left = millis; left > 0 && isAlive(); left = until - System.currentTimeMillis()) {
                wait(left);
            }
            return !isAlive();
        }
    }

    static final class Heart {
        private final int period;
        private long beats;

        Heart(int period) {
            this.period = period;
        }

        long beat() throws InterruptedException {
            synchronized (this) {
                wait(period);
                return ++beats;
            }
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static final AtomicInteger swarms = new AtomicInteger();
    private static volatile String failure;

    private static void keeper(int number) throws InterruptedException {
        Heart heart = new Heart(1 + number);
        while (failure == null) {
            Arrival arrival = new Arrival();
            List<Patrol> patrols = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Patrol patrol = new Patrol(arrival);
                patrols.add(patrol);
                patrol.start();
            }
            if (arrival.complete() != 5) {
                failure = "a swarm of another size";
            }
            swarms.incrementAndGet();
            for (Patrol patrol : patrols) {
                if (!patrol.home(10_000) || !patrol.seen) {
                    failure = "a patrol is still out";
                }
            }
            if (heart.beat() <= 0) {
                failure = "no pulse";
            }
            ops.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 3; i++) {
            int number = i;
            Thread t = new Thread(() -> {
                try {
                    keeper(number);
                } catch (InterruptedException e) {
                    failure = "a keeper was interrupted";
                }
            }, "keeper-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure == null && swarms.get() < ops.get()) {
            failure = "more rounds than swarms";
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops);
    }
}
