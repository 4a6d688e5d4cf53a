// @lock Agate$Mill
// @type MUTEX
// @role enter Agate$Station.apply
// @role enter Agate$Station.drain
//
// @lock java.lang.Object#insert
// @type MUTEX
// @role enter Agate$Index.insert
// @role enter Agate$Totals.balance

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A workshop: stations whose base class guards a template method, and an index and its totals under one object made elsewhere. */
public final class Agate {
    abstract static class Station {
        private final List<Integer> charges = new ArrayList<>();
        private long taken;

        final synchronized int apply(int amount) throws InterruptedException {
            int fee = fee(amount);
            charges.add(amount + fee);
            if (amount % 2 == 0) {
                Thread.sleep(1);
            }
            return amount + fee;
        }

        final synchronized long drain() {
            for (int charge : charges) {
                taken += charge;
            }
            charges.clear();
            return taken;
        }

        abstract int fee(int amount);
    }

    static final class Mill extends Station {
        @Override
        int fee(int amount) {
            return amount / 4;
        }
    }

    static final class Press extends Station {
        @Override
        int fee(int amount) {
            return 2;
        }
    }

    static final class Index {
        private final Object shared;
        final TreeMap<Long, Integer> entries = new TreeMap<>();
        private final Totals totals;

        Index(Object shared, Totals totals) {
            this.shared = shared;
            this.totals = totals;
        }

        void insert(long key, int amount) throws InterruptedException {
            synchronized (shared) {
                Integer before = entries.put(key % 200, amount);
                Thread.sleep(0, 300_000);
                totals.sum += amount - (before == null ? 0 : before);
            }
        }
    }

    static final class Totals {
        private final Object shared;
        private long sum;

        Totals(Object shared) {
            this.shared = shared;
        }

        boolean balance(Index index) {
            synchronized (shared) {
                long all = 0;
                for (int amount : index.entries.values()) {
                    all += amount;
                }
                return all == sum;
            }
        }
    }

    private static final AtomicLong ops = new AtomicLong();
    private static final AtomicLong charged = new AtomicLong();
    private static volatile String failure;
    private static volatile boolean over;

    private static void operate(Station[] stations, Index index) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try {
            while (!over) {
                int amount = random.nextInt(1, 50);
                charged.addAndGet(stations[amount % stations.length].apply(amount));
                index.insert(ops.incrementAndGet(), amount);
                Thread.sleep(random.nextInt(1, 4));
            }
        } catch (InterruptedException e) {
            failure = "an operator was interrupted";
        }
    }

    private static void audit(Station[] stations, Index index, Totals totals) {
        try {
            while (!over) {
                if (!totals.balance(index)) {
                    failure = "index and totals disagree";
                }
                for (Station station : stations) {
                    station.drain();
                }
                Thread.sleep(2);
            }
        } catch (InterruptedException e) {
            failure = "the auditor was interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Object shared = new Object();
        Totals totals = new Totals(shared);
        Index index = new Index(shared, totals);
        Station[] stations = {new Mill(), new Press()};
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            threads.add(new Thread(() -> operate(stations, index), "operator-" + i));
        }
        threads.add(new Thread(() -> audit(stations, index, totals), "auditor"));
        threads.forEach(Thread::start);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        over = true;
        for (Thread t : threads) {
            t.join();
        }
        if (stations[0].drain() + stations[1].drain() != charged.get()) {
            failure = "a charge was lost";
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + ops);
    }
}
