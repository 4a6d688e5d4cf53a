// @lock QueueManager$Mutex
// @type PRODUCER-CONSUMER capacity=3
// @role put QueueManager$Mutex.unlock
// @role take QueueManager$Mutex.lock
// @lock QueueManager$BlockingQueue
// @type READ-WRITE
// @role read-lock QueueManager$BlockingQueue.offer
// @role read-unlock QueueManager$BlockingQueue.poll
// @role write-lock QueueManager$BlockingQueue.put
// @role write-unlock QueueManager$BlockingQueue.take
// @lock QueueManager$Latch
// @type MUTEX
// @role enter QueueManager$Latch.countDown
// @role enter QueueManager$Latch.await

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** A fish market: crates, a price board, a till. The names come from three rewrites and fit none of it. */
public class QueueManager {
    enum Fish {
        COD, HAKE, SOLE
    }

    static volatile String problem;
    static final AtomicLong sold = new AtomicLong();

    /** Room for three crates of any kinds. */
    static class Mutex {
        private int crates;
        private final int[] kinds = new int[3];

        synchronized void unlock(Fish f) throws InterruptedException {
            while (crates == 3) {
                wait();
            }
            crates++;
            kinds[f.ordinal()]++;
            notifyAll();
        }

        synchronized Fish lock() throws InterruptedException {
            while (crates == 0) {
                wait();
            }
            crates--;
            notifyAll();
            for (Fish f : Fish.values()) {
                if (kinds[f.ordinal()] > 0) {
                    kinds[f.ordinal()]--;
                    return f;
                }
            }
            problem = "no crate though counted";
            return null;
        }
    }

    /** Guards the price board. */
    static class BlockingQueue {
        private final Set<Thread> looking = new HashSet<>();
        private Thread chalking;

        synchronized void offer() throws InterruptedException {
            while (chalking != null) {
                wait();
            }
            looking.add(Thread.currentThread());
        }

        synchronized void poll() {
            if (!looking.remove(Thread.currentThread())) {
                problem = "was not looking";
            }
            if (looking.isEmpty()) {
                notifyAll();
            }
        }

        synchronized void put() throws InterruptedException {
            while (chalking != null || !looking.isEmpty()) {
                wait();
            }
            chalking = Thread.currentThread();
        }

        synchronized void take() {
            if (chalking != Thread.currentThread()) {
                problem = "was not chalking";
            }
            chalking = null;
            notifyAll();
        }
    }

    static class Latch {
        private long cash;
        private long receipts;

        synchronized void countDown(int price) throws InterruptedException {
            cash += price;
            Thread.sleep(1);
            receipts += price;
        }

        synchronized void await() {
            if (cash != receipts) {
                problem = "till does not add up";
            }
        }
    }

    interface Work {
        void run() throws InterruptedException;
    }

    static void go(String name, Work w) {
        Thread t = new Thread(() -> {
            try {
                while (problem == null) {
                    w.run();
                }
            } catch (InterruptedException e) {
                problem = name + " interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Mutex crates = new Mutex();
        BlockingQueue board = new BlockingQueue();
        Latch till = new Latch();
        Map<Fish, Integer> prices = new EnumMap<>(Fish.class);
        for (Fish f : Fish.values()) {
            prices.put(f, 10);
        }
        for (Fish f : Fish.values()) {
            go("boat-" + f, () -> {
                crates.unlock(f);
                Thread.sleep(sold.get() / 60 % 2 == 0 ? 2 : 16);
            });
        }
        for (int i = 0; i < 4; i++) {
            go("seller-" + i, () -> {
                Fish f = crates.lock();
                board.offer();
                int p = prices.get(f);
                Thread.sleep(2);
                if (prices.get(Fish.COD) != p || prices.get(Fish.SOLE) != p) {
                    problem = "prices changed while read";
                }
                board.poll();
                till.countDown(p);
                sold.incrementAndGet();
            });
        }
        for (int i = 0; i < 2; i++) {
            go("chalk-" + i, () -> {
                board.put();
                int p = 5 + (int) (sold.get() % 20);
                for (Fish f : Fish.values()) {
                    prices.put(f, p);
                    Thread.sleep(1);
                }
                board.take();
                Thread.sleep(7);
            });
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end && problem == null) {
            Thread.sleep(15);
            till.await();
        }
        if (problem != null) {
            System.out.println(problem);
            System.exit(1);
        }
        System.out.println("DONE " + sold);
        System.exit(0);
    }
}
