// A bus shared by several drivers: a transaction needs the bus, which belongs to one thread at a time. Monitors of
// the controller wait, on the same monitor but without the bus, for the next completed transaction number.
//
// @lock ScsiBus$Bus
// @type LOCK+CONDITION reentrant=false
// @role lock ScsiBus$Bus.arbitrate
// @role lock ScsiBus$Bus.tryArbitrate
// @role unlock ScsiBus$Bus.release
// @role wait ScsiBus$Bus.awaitCompletion
// @role notify ScsiBus$Bus.release
//
// @lock java.lang.Object#error
// @type MUTEX
// @role enter ScsiBus$ErrorCounts.error
// @role enter ScsiBus$ErrorCounts.sum
// @quiet

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class ScsiBus {
    static final AtomicLong transactions = new AtomicLong();
    static volatile String broken;

    static class Bus {
        private Thread initiator;
        private long completed;

        private void checkNotMine() {
            if (initiator == Thread.currentThread()) {
                throw new IllegalStateException("already on the bus");
            }
        }

        synchronized void arbitrate() {
            checkNotMine();
            boolean interrupted = false;
            while (initiator != null) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            initiator = Thread.currentThread();
            if (interrupted) {
                initiator.interrupt();
            }
        }

        synchronized boolean tryArbitrate(long millis) throws InterruptedException {
            checkNotMine();
            long until = System.nanoTime() + millis * 1_000_000L;
            while (initiator != null) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                wait(left / 1_000_000L + 1);
            }
            initiator = Thread.currentThread();
            return true;
        }

        synchronized void release() {
            if (initiator != Thread.currentThread()) {
                throw new IllegalStateException("not on the bus");
            }
            initiator = null;
            completed++;
            notifyAll();
        }

        synchronized long awaitCompletion(long after) throws InterruptedException {
            while (completed <= after) {
                wait();
            }
            return completed;
        }
    }

    static class ErrorCounts {
        private final Object guard = new Object();
        private final int[] counts = new int[4];

        void error(int driver) {
            synchronized (guard) {
                counts[driver]++;
            }
        }

        int sum() {
            synchronized (guard) {
                int s = 0;
                for (int c : counts) {
                    s += c;
                }
                return s;
            }
        }
    }

    static volatile int phase;

    static void driver(int number, Bus bus, ErrorCounts errors) throws InterruptedException {
        ThreadLocalRandom rnd = ThreadLocalRandom.current();
        while (true) {
            if (rnd.nextInt(3) > 0) {
                bus.arbitrate();
            } else if (!bus.tryArbitrate(8)) {
                errors.error(number);
                continue;
            }
            try {
                int mine = number * 1000 + rnd.nextInt(1000);
                phase = mine;
                Thread.sleep(2 + rnd.nextInt(3));
                if (phase != mine) {
                    broken = "two on the bus";
                }
                transactions.incrementAndGet();
            } finally {
                bus.release();
            }
            Thread.sleep(1 + rnd.nextInt(6));
        }
    }

    static void monitor(Bus bus) throws InterruptedException {
        long seen = 0;
        while (true) {
            long now = bus.awaitCompletion(seen);
            if (now <= seen) {
                broken = "nothing new on the bus";
            }
            seen = now;
            Thread.sleep(2);
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final Bus bus = new Bus();
        final ErrorCounts errors = new ErrorCounts();
        for (int i = 0; i < 6; i++) {
            final int n = i;
            Thread t = new Thread(n < 4 ? "driver-" + n : "monitor-" + n) {
                @Override
                public void run() {
                    try {
                        if (n < 4) {
                            driver(n, bus, errors);
                        } else {
                            monitor(bus);
                        }
                    } catch (InterruptedException e) {
                        interrupt();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(100);
            if (errors.sum() < 0) {
                broken = "errors overflow";
            }
        }
        System.out.println(broken != null ? broken : "DONE " + transactions.get());
        System.exit(broken != null ? 1 : 0);
    }
}
