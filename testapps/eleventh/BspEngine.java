// @lock BspEngine$SuperstepBarrier
// @type BARRIER parties=4
// @role arrive BspEngine$SuperstepBarrier.sync
//
// @lock BspEngine$Inbox
// @type MUTEX
// @role enter BspEngine$Inbox.deliver
// @role enter BspEngine$Inbox.drain

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Graph processing in supersteps: four partitions compute, send messages to each other and meet; the last one switches the inboxes. */
public final class BspEngine {
    static final int PARTITIONS = 4;

    static final class SuperstepBarrier {
        private final Runnable aggregator;
        private int missing = PARTITIONS;
        private long superstep;

        SuperstepBarrier(Runnable aggregator) {
            this.aggregator = aggregator;
        }

        synchronized long sync() throws InterruptedException {
            long mine = superstep;
            if (--missing > 0) {
                while (superstep == mine) {
                    wait();
                }
                return superstep;
            }
            aggregator.run();
            missing = PARTITIONS;
            superstep++;
            notifyAll();
            return superstep;
        }
    }

    /** Messages to a partition, combined by vertex. */
    static final class Inbox {
        private Map<Integer, Long> sums = new HashMap<>();

        synchronized void deliver(int vertex, long value) throws InterruptedException {
            Long old = sums.get(vertex);
            if (vertex % 2 == 0) {
                Thread.sleep(1);
            }
            sums.put(vertex, old == null ? value : old + value);
        }

        synchronized Map<Integer, Long> drain() {
            Map<Integer, Long> all = sums;
            sums = new HashMap<>();
            return all;
        }
    }

    private final Inbox[] current = new Inbox[PARTITIONS];
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final SuperstepBarrier barrier = new SuperstepBarrier(this::aggregate);
    private volatile String failure;

    BspEngine() {
        for (int i = 0; i < PARTITIONS; i++) {
            current[i] = new Inbox();
        }
    }

    /** All partitions have sent: what was sent must be there. */
    private void aggregate() {
        for (Inbox inbox : current) {
            for (long v : inbox.drain().values()) {
                received.addAndGet(v);
            }
        }
        if (received.get() != sent.get()) {
            failure = "messages lost in a superstep";
        }
    }

    void partition(int number) {
        try {
            long seen = 0;
            while (failure == null) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                for (int m = 0; m < 3; m++) {
                    int vertex = ThreadLocalRandom.current().nextInt(6);
                    long value = ThreadLocalRandom.current().nextInt(1, 9);
                    current[(seen + m) % 2 == 0 ? 0 : number].deliver(vertex, value);
                    sent.addAndGet(value);
                }
                long now = barrier.sync();
                if (now != seen + 1) {
                    failure = "partition " + number + " is out of step";
                }
                seen = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        BspEngine[] jobs = {new BspEngine(), new BspEngine()};
        for (BspEngine job : jobs) {
            for (int i = 0; i < PARTITIONS; i++) {
                int number = i;
                Thread t = new Thread(() -> job.partition(number), "partition-" + i);
                t.setDaemon(true);
                t.start();
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        for (BspEngine job : jobs) {
            if (job.failure != null) {
                throw new IllegalStateException(job.failure);
            }
        }
        System.out.println("DONE " + (jobs[0].received.get() + jobs[1].received.get()));
    }
}
