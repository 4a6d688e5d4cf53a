// @lock DunningRun$RunTally
// @type LATCH count=3
// @role count-down DunningRun$RunTally.regionDone
// @role await DunningRun$RunTally.awaitAll

// @lock java.lang.Object#charge
// @type MUTEX
// @role enter DunningRun$FeeBook.charge
// @role enter DunningRun$FeeBook.total

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Reminders: each dunning run is worked off region by region; postage and bookkeeping go on when all three regions are through. */
public class DunningRun {
    /** Bookkeeping of one run. There is a new one for each run. */
    static final class RunTally {
        private int regionsLeft = 3;
        private int letters;

        synchronized void regionDone(int lettersOfRegion) {
            letters += lettersOfRegion;
            if (regionsLeft > 0 && --regionsLeft == 0) {
                notifyAll();
            }
        }

        synchronized int awaitAll() throws InterruptedException {
            while (regionsLeft > 0) {
                wait();
            }
            return letters;
        }
    }

    static final class FeeBook {
        private final Object bookLock = new Object();
        private final Map<String, Long> fees = new HashMap<String, Long>();
        private long sum;

        void charge(String region, int fee) throws InterruptedException {
            synchronized (bookLock) {
                Long old = fees.get(region);
                fees.put(region, (old == null ? 0L : old) + fee);
                Thread.sleep(1);
                sum += fee;
            }
        }

        long total() {
            synchronized (bookLock) {
                long t = 0;
                for (Long l : fees.values()) {
                    t += l;
                }
                if (t != sum) {
                    throw new IllegalStateException("fee book does not add up: " + t + " and " + sum);
                }
                return t;
            }
        }
    }

    private static final class Region extends Thread {
        final ConcurrentLinkedQueue<RunTally> inbox = new ConcurrentLinkedQueue<RunTally>();
        private final FeeBook book;
        private final Random random = new Random();

        Region(String name, FeeBook book) {
            super(name);
            this.book = book;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (true) {
                    RunTally tally = inbox.poll();
                    if (tally == null) {
                        sleep(1);
                        continue;
                    }
                    int letters = 1 + random.nextInt(5);
                    for (int i = 0; i < letters; i++) {
                        book.charge(getName(), 250);
                    }
                    sent.addAndGet(letters);
                    tally.regionDone(letters);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    private static final AtomicLong sent = new AtomicLong();
    private static volatile Throwable failure;

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> {
            failure = e;
            e.printStackTrace();
        });
        final FeeBook book = new FeeBook();
        final Region[] regions = {new Region("north", book), new Region("south", book), new Region("abroad", book)};
        for (Region r : regions) {
            r.start();
        }
        final ConcurrentLinkedQueue<RunTally> toStamp = new ConcurrentLinkedQueue<RunTally>();
        final AtomicLong stamped = new AtomicLong();
        Thread postage = new Thread("postage") {
            @Override
            public void run() {
                try {
                    while (true) {
                        RunTally t = toStamp.poll();
                        if (t == null) {
                            sleep(2);
                        } else {
                            stamped.addAndGet(t.awaitAll());
                            book.total();
                        }
                    }
                } catch (InterruptedException e) {
                    interrupt();
                }
            }
        };
        postage.setDaemon(true);
        postage.start();
        System.out.println("READY");
        System.out.flush();
        long end = System.nanoTime() + seconds * 1000000000L;
        long letters = 0;
        int runs = 0;
        ArrayDeque<Integer> history = new ArrayDeque<Integer>();
        while (System.nanoTime() < end && failure == null) {
            RunTally tally = new RunTally();
            toStamp.add(tally);
            for (Region r : regions) {
                r.inbox.add(tally);
            }
            int n = tally.awaitAll();
            letters += n;
            history.add(n);
            if (history.size() > 20) {
                history.poll();
            }
            runs++;
            Thread.sleep(3);
        }
        if (failure != null || letters != sent.get() || book.total() != letters * 250) {
            throw new IllegalStateException("letters and fees differ: " + letters + ", " + sent + ", " + book.total());
        }
        System.out.println("DONE " + runs);
    }
}
