// @lock java.util.PriorityQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put BackorderDesk$Mutex.unlock
// @role take BackorderDesk$Mutex.lock

// @lock BackorderDesk$Barrier
// @type CONDITION
// @role wait BackorderDesk$Barrier.pass
// @role notify BackorderDesk$Barrier.set

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Back orders sorted by urgency: Mutex (short for "multiple texts") is where they are put and taken from. Barrier holds the dollar rate: purchasers buy
 * when it is not above their limit.
 */
public class BackorderDesk {
    static final class Order {
        final int urgency;
        final int pieces;

        Order(int urgency, int pieces) {
            this.urgency = urgency;
            this.pieces = pieces;
        }
    }

    static final class Mutex {
        private final PriorityQueue<Order> texts = new PriorityQueue<>(Comparator.comparingInt((Order o) -> -o.urgency));

        Order lock() throws InterruptedException {
            synchronized (texts) {
                return null == texts.peek() ? lockSlow() : texts.poll();
            }
        }

        private Order lockSlow() throws InterruptedException {
            Order o;
            do {
                texts.wait();
                o = texts.poll();
            } while (o == null);
            return o;
        }

        void unlock(Order o) {
            synchronized (texts) {
                texts.offer(o);
                texts.notify();
            }
        }
    }

    static final class Barrier {
        private int rate = 100;
        private int changes;

        /** @return the rate at which one may buy: not above the limit */
        synchronized int pass(int limit) throws InterruptedException {
            while (rate > limit) {
                wait();
            }
            return rate;
        }

        synchronized void set(int newRate) {
            if (newRate != rate) {
                rate = newRate;
                changes++;
                notifyAll();
            }
        }

        synchronized int changes() {
            return changes;
        }
    }

    static final AtomicLong ordered = new AtomicLong();
    static final AtomicLong bought = new AtomicLong();
    static volatile boolean closing;
    static volatile String failure;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Mutex mutex = new Mutex();
        Barrier barrier = new Barrier();
        Thread[] sales = new Thread[2];
        for (int i = 0; i < sales.length; i++) {
            sales[i] = new Thread(() -> {
                ThreadLocalRandom r = ThreadLocalRandom.current();
                try {
                    while (!closing) {
                        Order o = new Order(r.nextInt(5), r.nextInt(1, 20));
                        ordered.addAndGet(o.pieces);
                        mutex.unlock(o);
                        Thread.sleep(r.nextInt(8, 18));
                    }
                } catch (InterruptedException e) {
                    failure = "sales interrupted";
                }
            }, "sales-" + i);
        }
        Thread[] others = new Thread[5];
        for (int i = 0; i < 4; i++) {
            others[i] = new Thread(() -> {
                try {
                    while (true) {
                        Order o = mutex.lock();
                        int limit = 90 + 3 * o.urgency;
                        if (barrier.pass(limit) > limit) {
                            failure = "bought too dear";
                        }
                        Thread.sleep(2);
                        bought.addAndGet(o.pieces);
                    }
                } catch (InterruptedException e) {
                    failure = "purchase interrupted";
                }
            }, "purchase-" + i);
        }
        others[4] = new Thread(() -> {
            try {
                for (int i = 0;; i++) {
                    Thread.sleep(5);
                    barrier.set(i % 5 == 0 ? 85 : ThreadLocalRandom.current().nextInt(88, 112));
                }
            } catch (InterruptedException e) {
                failure = "exchange interrupted";
            }
        }, "exchange");
        for (Thread t : others) {
            t.setDaemon(true);
            t.start();
        }
        for (Thread t : sales) {
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        closing = true;
        for (Thread t : sales) {
            t.join();
        }
        for (int i = 0; i < 1000 && ordered.get() != bought.get(); i++) {
            Thread.sleep(10);
        }
        if (failure != null || ordered.get() != bought.get() || barrier.changes() == 0) {
            throw new IllegalStateException(failure != null ? failure : "ordered " + ordered + ", bought " + bought);
        }
        System.out.println("DONE " + bought);
    }
}
