// @lock Helpers$Countdown
// @type LATCH count=6
// @role count-down Helpers$Countdown.hit
// @role await Helpers$Countdown.join

// @lock Helpers$Conveyor
// @type PRODUCER-CONSUMER capacity=5
// @role put Helpers$Conveyor.accept
// @role take Helpers$Conveyor.get

// @lock Helpers$Ledger
// @type MUTEX
// @role enter Helpers$Ledger.lambda$post$0
// @role enter Helpers$Ledger.balance

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A house library hides wait and notify: classes say in lambdas what they wait for, and never see an InterruptedException. */
public final class Helpers {

    /** The only place where anybody waits or notifies. */
    static final class Monitors {
        private Monitors() {
        }

        static void until(Object monitor, BooleanSupplier condition) {
            boolean interrupted = false;
            while (!condition.getAsBoolean()) {
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        static void changed(Object monitor) {
            monitor.notifyAll();
        }
    }

    static final class Countdown {
        private int left;

        Countdown(int left) {
            this.left = left;
        }

        synchronized void hit() {
            left--;
            if (left == 0) {
                Monitors.changed(this);
            }
        }

        synchronized void join() {
            Monitors.until(this, () -> left <= 0);
        }
    }

    static final class Conveyor implements Consumer<String>, Supplier<String> {
        private static final int ROOM = 5;
        private final Deque<String> items = new ArrayDeque<>();

        @Override
        public synchronized void accept(String s) {
            Monitors.until(this, () -> items.size() < ROOM);
            items.addLast(s);
            Monitors.changed(this);
        }

        @Override
        public synchronized String get() {
            Monitors.until(this, this::filled);
            String s = items.removeFirst();
            Monitors.changed(this);
            return s;
        }

        private boolean filled() {
            return !items.isEmpty();
        }
    }

    static final class Ledger {
        private final long[] accounts = new long[3000];

        Runnable post(int from, int to, long amount) {
            return () -> {
                synchronized (this) {
                    accounts[from] -= amount;
                    accounts[to] += amount;
                    if (total() != 0) {
                        error = "money was made";
                    }
                }
            };
        }

        synchronized long balance(int account) {
            return total() + accounts[account];
        }

        private long total() {
            long sum = 0;
            for (int i = 0; i < 30; i++) {
                sum = 0;
                for (long a : accounts) {
                    sum += a;
                }
            }
            return sum;
        }
    }

    static volatile String error;

    static void daemon(String name, Runnable body) {
        Thread t = new Thread(() -> {
            while (error == null) {
                body.run();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void pause(int least, int most) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(least, most));
        } catch (InterruptedException e) {
            error = e.toString();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Conveyor conveyor = new Conveyor();
        Ledger ledger = new Ledger();
        ConcurrentLinkedQueue<Countdown> shots = new ConcurrentLinkedQueue<>();
        AtomicInteger rounds = new AtomicInteger();
        AtomicInteger onBelt = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            daemon("packer-" + i, () -> {
                for (int k = 0; k < 4; k++) {
                    conveyor.accept("box " + k);
                    onBelt.incrementAndGet();
                }
                pause(2, 10);
            });
        }
        for (int i = 0; i < 2; i++) {
            daemon("loader-" + i, () -> {
                if (conveyor.get() == null) {
                    error = "an empty box";
                }
                onBelt.decrementAndGet();
                pause(0, 3);
                ThreadLocalRandom r = ThreadLocalRandom.current();
                ledger.post(r.nextInt(3000), r.nextInt(3000), r.nextInt(100)).run();
            });
        }
        for (int i = 0; i < 2; i++) {
            daemon("auditor-" + i, () -> {
                ledger.balance(ThreadLocalRandom.current().nextInt(3000));
                pause(0, 2);
            });
        }
        for (int i = 0; i < 4; i++) {
            daemon("archer-" + i, () -> {
                Countdown c = shots.poll();
                pause(1, 4);
                if (c != null) {
                    c.hit();
                }
            });
        }
        for (int i = 0; i < 2; i++) {
            daemon("judge-" + i, () -> {
                Countdown c = new Countdown(6);
                for (int k = 0; k < 6; k++) {
                    shots.add(c);
                }
                c.join();
                rounds.incrementAndGet();
            });
        }
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        int belt = onBelt.get();
        if (belt < -3 || belt > 10) {
            error = "boxes on the belt: " + belt;
        }
        if (error != null) {
            System.out.println(error);
            System.exit(1);
        }
        System.out.println("DONE " + rounds);
    }
}
