// @lock QuorumWrite$AckCollector
// @type LATCH count=2
// @role count-down QuorumWrite$AckCollector.ack
// @role await QuorumWrite$AckCollector.awaitQuorum
//
// @lock QuorumWrite$Mailbox
// @type PRODUCER-CONSUMER capacity=8
// @role put QuorumWrite$Mailbox.send
// @role take QuorumWrite$Mailbox.receive

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Replicated writes: a coordinator sends a mutation to three replicas and goes on when two have acknowledged it. */
public final class QuorumWrite {
    static final class Mutation {
        final String key;
        final long stamp;
        final AckCollector acks = new AckCollector();

        Mutation(String key, long stamp) {
            this.key = key;
            this.stamp = stamp;
        }
    }

    static final class AckCollector {
        private static final int QUORUM = 2;
        private int acks;

        synchronized void ack() {
            if (++acks == QUORUM) {
                notifyAll();
            }
        }

        synchronized boolean awaitQuorum(long millis) throws InterruptedException {
            long end = System.nanoTime() / 1_000_000 + millis;
            for (long left = millis; acks < QUORUM && left > 0; left = end - System.nanoTime() / 1_000_000) {
                wait(left);
            }
            return acks >= QUORUM;
        }
    }

    static final class Mailbox {
        private final Mutation[] slots = new Mutation[8];
        private int head;
        private int size;

        synchronized void send(Mutation m) throws InterruptedException {
            while (size == slots.length) {
                wait();
            }
            slots[(head + size++) % slots.length] = m;
            notifyAll();
        }

        synchronized Mutation receive() throws InterruptedException {
            while (size == 0) {
                wait();
            }
            Mutation m = slots[head];
            slots[head] = null;
            head = (head + 1) % slots.length;
            size--;
            notifyAll();
            return m;
        }
    }

    static final class Replica extends Thread {
        final Mailbox inbox = new Mailbox();
        final Map<String, Long> data = new ConcurrentHashMap<>();

        Replica(int n) {
            super("replica-" + n);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!interrupted()) {
                    Mutation m = inbox.receive();
                    if (ThreadLocalRandom.current().nextInt(3) == 0) {
                        sleep(ThreadLocalRandom.current().nextInt(1, 4));
                    }
                    data.merge(m.key, m.stamp, Math::max);
                    m.acks.ack();
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    private static final AtomicLong stamps = new AtomicLong();
    private static final AtomicLong writes = new AtomicLong();
    private static volatile String failure;

    private static void coordinate(Replica[] replicas, String key) {
        try {
            while (failure == null) {
                Mutation m = new Mutation(key, stamps.incrementAndGet());
                for (Replica r : replicas) {
                    r.inbox.send(m);
                }
                if (!m.acks.awaitQuorum(5000)) {
                    failure = "no quorum for " + m.stamp;
                }
                int holders = 0;
                for (Replica r : replicas) {
                    holders += r.data.getOrDefault(key, 0L) >= m.stamp ? 1 : 0;
                }
                if (holders < 2) {
                    failure = "only " + holders + " replicas hold " + m.stamp;
                }
                writes.incrementAndGet();
                if (ThreadLocalRandom.current().nextInt(4) == 0) {
                    Thread.sleep(1);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Replica[] replicas = new Replica[3];
        for (int i = 0; i < replicas.length; i++) {
            replicas[i] = new Replica(i);
            replicas[i].start();
        }
        for (int i = 0; i < 12; i++) {
            String key = "k" + i;
            Thread t = new Thread(() -> coordinate(replicas, key), "coordinator-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + writes);
    }
}
