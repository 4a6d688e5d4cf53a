// A primary with three replicas: a client's write goes to all three links and is done when all have acknowledged. Readers at a
// replica wait until it has applied what they want to see. The names of the classes promise other things than they are:
// "Barrier" is a latch, "Latch" a queue, "Mutex" what readers wait on.
//
// @lock QuorumWrites$Barrier
// @type LATCH count=3
// @role count-down QuorumWrites$Barrier.arrive
// @role await QuorumWrites$Barrier.await
//
// @lock QuorumWrites$Latch
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put QuorumWrites$Latch.countDown
// @role take QuorumWrites$Latch.await
//
// @lock QuorumWrites$Mutex
// @type CONDITION
// @role wait QuorumWrites$Mutex.lock
// @role notify QuorumWrites$Mutex.unlock
//
// @lock java.lang.Class#nextNumber
// @type MUTEX
// @role enter QuorumWrites.nextNumber
// @role enter QuorumWrites.highest
// @quiet

import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class QuorumWrites {
    static final AtomicLong done = new AtomicLong();
    static volatile String broken;
    private static long number;

    static synchronized long nextNumber() {
        return ++number;
    }

    static synchronized long highest() {
        return number;
    }

    static final class Barrier {
        final long write;
        private int acks;

        Barrier(long write) {
            this.write = write;
        }

        synchronized void arrive() {
            if (++acks == 3) {
                notifyAll();
            }
        }

        synchronized void await() throws InterruptedException {
            while (acks < 3) {
                wait();
            }
        }
    }

    static final class Latch {
        private final Vector<Barrier> log = new Vector<>();

        synchronized void countDown(Barrier b) {
            log.add(b);
            notify();
        }

        synchronized Barrier await() throws InterruptedException {
            while (log.isEmpty()) {
                wait();
            }
            return log.remove(0);
        }
    }

    /** What a replica has applied: everything up to a number, and some writes beyond it. */
    static final class Mutex {
        private final TreeSet<Long> beyond = new TreeSet<>();
        private long upTo;

        synchronized long lock(long wanted) throws InterruptedException {
            while (upTo < wanted) {
                wait();
            }
            return upTo;
        }

        synchronized void unlock(long applied) {
            beyond.add(applied);
            boolean moved = false;
            while (!beyond.isEmpty() && beyond.first() == upTo + 1) {
                upTo = beyond.pollFirst();
                moved = true;
            }
            if (moved) {
                notifyAll();
            }
        }
    }

    static void replica(Latch link, Mutex applied) throws InterruptedException {
        while (true) {
            Barrier b = link.await();
            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(3));
            applied.unlock(b.write);
            b.arrive();
        }
    }

    static void client(Latch[] links, Mutex[] applied) throws InterruptedException {
        while (true) {
            Barrier b = new Barrier(nextNumber());
            for (Latch l : links) {
                l.countDown(b);
            }
            b.await();
            done.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(10));
        }
    }

    static void reader(Mutex applied) throws InterruptedException {
        while (true) {
            long wanted = highest() + 1;
            if (applied.lock(wanted) < wanted) {
                broken = "stale read";
            }
            Thread.sleep(2);
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    static void start(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Latch[] links = {new Latch(), new Latch(), new Latch()};
        Mutex[] applied = {new Mutex(), new Mutex(), new Mutex()};
        for (int i = 0; i < 3; i++) {
            final int n = i;
            start("replica-" + i, () -> replica(links[n], applied[n]));
            start("reader-" + i, () -> reader(applied[n]));
            start("client-" + i, () -> client(links, applied));
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + done.get());
        System.exit(broken != null ? 1 : 0);
    }
}
