// @lock ShardJob$Shard
// @type JOIN
// @role join ShardJob.collect

// @lock ShardJob$Stripe
// @type LOCK reentrant=true
// @role lock ShardJob$Stripe.lock
// @role unlock ShardJob$Stripe.unlock

// @lock ShardJob$Phase
// @type BARRIER parties=3
// @role arrive ShardJob$Phase.arriveAndAwait

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Map and reduce: a thread per shard, phases that must be complete, and a table in four stripes, each with a lock of its own. */
public final class ShardJob {

    static final class Stripe {
        private Thread holder;
        private int holds;

        synchronized void lock() throws InterruptedException {
            final Thread current = Thread.currentThread();
            while (holder != null && holder != current) {
                wait();
            }
            holder = current;
            holds++;
        }

        synchronized void unlock() {
            if (holder != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            holds--;
            if (holds == 0) {
                holder = null;
                notify();
            }
        }
    }

    static final class StripedTable {
        private final Stripe[] locks = new Stripe[4];
        private final Map<Integer, Integer>[] maps;

        @SuppressWarnings({"unchecked", "rawtypes"})
        StripedTable() {
            maps = new Map[locks.length];
            for (int i = 0; i < locks.length; i++) {
                locks[i] = new Stripe();
                maps[i] = new HashMap<>();
            }
        }

        void add(int key, int depth) throws InterruptedException {
            int s = key & 3;
            locks[s].lock();
            try {
                if (depth > 0) {
                    add(key, depth - 1);
                } else {
                    int before = maps[s].getOrDefault(key, 0);
                    Thread.sleep(1);
                    maps[s].put(key, before + 1);
                }
            } finally {
                locks[s].unlock();
            }
        }

        long total() throws InterruptedException {
            long t = 0;
            for (int i = 0; i < locks.length; i++) {
                locks[i].lock();
                for (int v : maps[i].values()) {
                    t += v;
                }
                locks[i].unlock();
            }
            return t;
        }
    }

    static final class Phase {
        private final int n;
        private int[] arrived = {0};

        Phase(int n) {
            this.n = n;
        }

        /** Each phase counts in a box of its own, and nobody waits for a box that is full. */
        void arriveAndAwait() throws InterruptedException {
            synchronized (this) {
                int[] box = arrived;
                box[0]++;
                if (box[0] == n) {
                    arrived = new int[1];
                    notifyAll();
                } else {
                    while (box[0] != n) {
                        wait();
                    }
                }
            }
        }
    }

    static final class Shard extends Thread {
        final int number;
        final Phase phase;
        final AtomicInteger mapped;
        int result;

        Shard(int number, Phase phase, AtomicInteger mapped) {
            super("shard-" + number);
            setDaemon(true);
            this.number = number;
            this.phase = phase;
            this.mapped = mapped;
        }

        @Override
        public void run() {
            try {
                sleep(ThreadLocalRandom.current().nextInt(1, 8));
                mapped.incrementAndGet();
                phase.arriveAndAwait();
                if (mapped.get() != 3) {
                    error = "reduced before everything was mapped";
                }
                sleep(ThreadLocalRandom.current().nextInt(1, 6));
                result = number + 1;
            } catch (InterruptedException e) {
                error = e.toString();
            }
        }
    }

    static volatile String error;

    static int collect(Shard[] shards) throws InterruptedException {
        int sum = 0;
        for (Shard s : shards) {
            synchronized (s) {
                while (s.isAlive()) {
                    s.wait(500);
                }
            }
            sum += s.result;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        StripedTable table = new StripedTable();
        AtomicInteger jobs = new AtomicInteger();
        AtomicInteger added = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            Phase phase = new Phase(3);
            Thread master = new Thread(() -> {
                try {
                    while (error == null) {
                        AtomicInteger mapped = new AtomicInteger();
                        Shard[] shards = new Shard[3];
                        for (int k = 0; k < 3; k++) {
                            shards[k] = new Shard(k, phase, mapped);
                            shards[k].start();
                        }
                        if (collect(shards) != 6) {
                            error = "a part is missing";
                        }
                        jobs.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    error = e.toString();
                }
            }, "master-" + i);
            master.setDaemon(true);
            master.start();
        }
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (error == null) {
                        ThreadLocalRandom r = ThreadLocalRandom.current();
                        added.incrementAndGet();
                        table.add(r.nextInt(8), r.nextInt(3));
                        if (r.nextInt(20) == 0 && table.total() > added.get()) {
                            error = "more than was added";
                        }
                    }
                } catch (InterruptedException e) {
                    error = e.toString();
                }
            }, "tally-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        if (error != null) {
            System.out.println(error);
            System.exit(1);
        }
        System.out.println("DONE " + jobs);
    }
}
