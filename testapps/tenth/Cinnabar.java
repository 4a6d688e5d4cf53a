// @lock Cinnabar$Hand
// @type JOIN
// @role join Cinnabar$Crew.gather
//
// @lock Cinnabar$Child
// @type JOIN
// @role join Cinnabar$Child.waitFor

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Crews of short-lived hands gathered on their thread objects, and children with an exit code that their thread leaves as its very last act. */
public final class Cinnabar {
    static final class Hand extends Thread {
        private final int share;
        private long result;

        Hand(int share) {
            this.share = share;
        }

        @Override
        public void run() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                result = share * 3L;
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    static final class Crew {
        private final List<Hand> hands = new ArrayList<>();

        void hire(int share) {
            Hand hand = new Hand(share);
            hands.add(hand);
            hand.start();
        }

        long gather() throws InterruptedException {
            long sum = 0;
            for (Hand hand : hands) {
                synchronized (hand) {
                    while (hand.isAlive()) {
                        hand.wait();
                    }
                }
                sum += hand.result;
            }
            return sum;
        }
    }

    /** Like an operating system's child process, but a thread. */
    static final class Child implements Runnable {
        private final Runnable body;
        private Integer exit;

        private Child(Runnable body) {
            this.body = body;
        }

        static Child spawn(Runnable body) {
            Child child = new Child(body);
            new Thread(child, "child").start();
            return child;
        }

        @Override
        public void run() {
            int code = 1;
            try {
                body.run();
                code = 0;
            } finally {
                ended(code);
            }
        }

        private synchronized void ended(int code) {
            exit = code;
            notifyAll();
        }

        synchronized int waitFor() throws InterruptedException {
            while (exit == null) {
                wait();
            }
            return exit;
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static volatile String failure;
    private static volatile boolean over;

    private static void crews() {
        try {
            while (!over) {
                Crew crew = new Crew();
                for (int i = 1; i <= 3; i++) {
                    crew.hire(i);
                }
                if (crew.gather() != 18) {
                    failure = "a hand was counted before it had finished";
                }
                ops.incrementAndGet();
            }
        } catch (InterruptedException e) {
            failure = "a foreman was interrupted";
        }
    }

    private static void children() {
        try {
            while (!over) {
                long[] cell = new long[1];
                Child child = Child.spawn(() -> {
                    try {
                        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    cell[0] = 7;
                });
                if (child.waitFor() != 0 || cell[0] != 7) {
                    failure = "a child had not ended";
                }
                ops.incrementAndGet();
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            failure = "a parent was interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread[] threads = {new Thread(Cinnabar::crews), new Thread(Cinnabar::crews), new Thread(Cinnabar::children), new Thread(Cinnabar::children)};
        for (Thread t : threads) {
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        over = true;
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops);
    }
}
