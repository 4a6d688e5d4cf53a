// @lock java.lang.Object#sync
// @type BARRIER parties=3
// @role arrive MarketTicks$Rendezvous.sync

import java.util.concurrent.ThreadLocalRandom;

/** Traders move in rounds; the last to arrive closes the market for the round before letting the others go on. */
public final class MarketTicks {
    static final class Rendezvous {
        /** One turn of the barrier; compared by identity. */
        private static final class Turn {
            private boolean spoilt;
        }

        private final Object lock = new Object();
        private final Runnable closing;
        private final int size;
        private int missing;
        private Turn turn = new Turn();

        Rendezvous(int size, Runnable closing) {
            this.size = size;
            this.missing = size;
            this.closing = closing;
        }

        void sync() throws InterruptedException {
            synchronized (lock) {
                Turn t = turn;
                if (--missing == 0) {
                    closing.run();
                    next();
                    return;
                }
                try {
                    do {
                        lock.wait();
                    } while (t == turn && !t.spoilt);
                } catch (InterruptedException e) {
                    t.spoilt = true;
                    lock.notifyAll();
                    throw e;
                }
                if (t.spoilt) {
                    throw new IllegalStateException("somebody left the round");
                }
            }
        }

        private void next() {
            turn = new Turn();
            missing = size;
            lock.notifyAll();
        }
    }

    private static final int[] bids = new int[3];
    private static int price;
    private static long rounds;
    private static volatile boolean failed;

    private static void close() {
        int sum = 0;
        for (int i = 0; i < bids.length; i++) {
            if (bids[i] == 0) {
                throw new IllegalStateException("trader " + i + " has not bid");
            }
            sum += bids[i];
            bids[i] = 0;
        }
        price = sum / bids.length;
        rounds++;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> {
            failed = true;
            e.printStackTrace();
        });
        Rendezvous round = new Rendezvous(3, MarketTicks::close);
        for (int i = 0; i < 3; i++) {
            int me = i;
            Thread t = new Thread(() -> {
                try {
                    while (!failed) {
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                        bids[me] = 1 + ThreadLocalRandom.current().nextInt(100) + price / 2;
                        round.sync();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "trader-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("a trader failed");
        }
        System.out.println("DONE " + rounds);
    }
}
