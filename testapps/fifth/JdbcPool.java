// @lock java.util.LinkedList#checkOut
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire JdbcPool.checkOut
// @role release JdbcPool.checkIn
// @role release JdbcPool.evict

import java.util.LinkedList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A pool of three database connections with a limit on the wait; broken ones are thrown away and made anew. */
public class JdbcPool {
    static class PooledConnection {
        private final AtomicBoolean inUse = new AtomicBoolean();
        private int age;

        boolean query() throws InterruptedException {
            if (!inUse.compareAndSet(false, true)) {
                throw new IllegalStateException("connection used by two threads");
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            age++;
            inUse.set(false);
            return age < 50;
        }
    }

    static class PoolExhausted extends Exception {
        private static final long serialVersionUID = 1L;

        PoolExhausted(String message) {
            super(message);
        }
    }

    private final LinkedList<PooledConnection> idle = new LinkedList<PooledConnection>();
    private final int max;
    private int created;

    public JdbcPool(int max) {
        this.max = max;
    }

    public PooledConnection checkOut(long timeout) throws PoolExhausted {
        long start = System.currentTimeMillis();
        synchronized (idle) {
            while (idle.isEmpty() && created == max) {
                long waited = System.currentTimeMillis() - start;
                if (waited >= timeout) {
                    throw new PoolExhausted("no connection in " + waited + " ms");
                }
                try {
                    idle.wait(timeout - waited);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new PoolExhausted("interrupted");
                }
            }
            if (idle.isEmpty()) {
                created++;
                return new PooledConnection();
            }
            return idle.removeFirst();
        }
    }

    public void checkIn(PooledConnection c) {
        synchronized (idle) {
            idle.addLast(c);
            idle.notify();
        }
    }

    public void evict() {
        synchronized (idle) {
            created--;
            idle.notify();
        }
    }

    private static final AtomicInteger out = new AtomicInteger();
    private static final AtomicLong queries = new AtomicLong();
    private static volatile Exception failure;

    private static void request(JdbcPool pool) throws PoolExhausted, InterruptedException {
        PooledConnection c = pool.checkOut(20000);
        boolean healthy = false;
        if (out.incrementAndGet() > 3) {
            throw new IllegalStateException("more than three connections are out");
        }
        try {
            healthy = c.query();
            queries.incrementAndGet();
        } finally {
            out.decrementAndGet();
            if (healthy) {
                pool.checkIn(c);
            } else {
                pool.evict();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        final JdbcPool pool = new JdbcPool(3);
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread("servlet-" + i) {
                @Override
                public void run() {
                    try {
                        while (failure == null) {
                            request(pool);
                            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                        }
                    } catch (Exception e) {
                        failure = e;
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + queries);
    }
}
