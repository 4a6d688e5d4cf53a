// @lock Sequencer$WaitStrategy
// @type CONDITION
// @role wait Sequencer$WaitStrategy.waitFor
// @role notify Sequencer$WaitStrategy.signalAllWhenBlocking

import java.util.concurrent.atomic.AtomicLong;

/** A ring of events without locks; only who has nothing to do blocks, by a strategy handed in, until a sequence is published. */
public final class Sequencer {
    static class WaitStrategy {
        long waitFor(long sequence, AtomicLong cursor) throws InterruptedException {
            long available = cursor.get();
            if (available < sequence) {
                synchronized (this) {
                    while ((available = cursor.get()) < sequence) {
                        this.wait();
                    }
                }
            }
            return available;
        }

        void signalAllWhenBlocking() {
            synchronized (this) {
                this.notifyAll();
            }
        }
    }

    private static final int SIZE = 64;

    private final long[] ring = new long[SIZE];
    private final AtomicLong cursor = new AtomicLong(-1);
    private final WaitStrategy strategy;
    private final AtomicLong[] consumed;
    private final AtomicLong processed = new AtomicLong();
    private volatile Throwable fault;

    Sequencer(WaitStrategy strategy, int consumers) {
        this.strategy = strategy;
        consumed = new AtomicLong[consumers];
        for (int i = 0; i < consumers; i++) {
            consumed[i] = new AtomicLong(-1);
        }
    }

    private long slowest() {
        long min = Long.MAX_VALUE;
        for (AtomicLong c : consumed) {
            min = Math.min(min, c.get());
        }
        return min;
    }

    private void publish() throws InterruptedException {
        long next = 0;
        while (fault == null) {
            int batch = (int) (1 + next % 5);
            for (int i = 0; i < batch; i++, next++) {
                while (next - slowest() > SIZE) {
                    Thread.sleep(1);
                }
                ring[(int) (next % SIZE)] = next * next;
            }
            cursor.set(next - 1);
            strategy.signalAllWhenBlocking();
            Thread.sleep(1 + next % 3);
        }
    }

    private void consume(int who) throws InterruptedException {
        long next = 0;
        while (fault == null) {
            long available = strategy.waitFor(next, cursor);
            for (; next <= available; next++) {
                if (ring[(int) (next % SIZE)] != next * next) {
                    throw new IllegalStateException("event " + next + " was overwritten");
                }
            }
            consumed[who].set(available);
            processed.incrementAndGet();
            if (available % 10 == who) {
                Thread.sleep(5);
            }
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    private void start(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                fault = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Sequencer ring = new Sequencer(new WaitStrategy(), 4);
        for (int i = 0; i < 4; i++) {
            int who = i;
            ring.start("consumer-" + i, () -> ring.consume(who));
        }
        ring.start("publisher", ring::publish);
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (ring.fault != null) {
            throw new IllegalStateException(ring.fault);
        }
        System.out.println("DONE " + ring.processed);
    }
}
