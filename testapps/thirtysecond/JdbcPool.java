// @lock JdbcPool$Pool
// @type SEMAPHORE permits=5 form=object-pool
// @role acquire JdbcPool$Pool.borrow
// @role release JdbcPool$Pool.giveBack

// @lock JdbcPool$Metrics
// @type MUTEX
// @role enter JdbcPool$Metrics.sample
// @role enter JdbcPool$Metrics.snapshot

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A connection pool that opens connections on demand, up to five, throws out those that no longer answer, and gives up after a while. */
public class JdbcPool {
    static final class Connection {
        private final long opened = System.nanoTime();
        final AtomicInteger users = new AtomicInteger();
        boolean broken;

        boolean valid() {
            return !broken && System.nanoTime() - opened < 2_000_000_000L;
        }

        void close() {
            broken = true;
        }
    }

    static final class Pool {
        private final Deque<Connection> idle = new ArrayDeque<>();
        private final int maxTotal;
        private final long maxWaitMillis;
        private int open;

        Pool(int maxTotal, long maxWaitMillis) {
            this.maxTotal = maxTotal;
            this.maxWaitMillis = maxWaitMillis;
        }

        Connection borrow() throws InterruptedException, java.sql.SQLException {
            long deadline = System.nanoTime() + maxWaitMillis * 1_000_000L;
            synchronized (this) {
                for (;;) {
                    Connection c = idle.pollFirst();
                    if (c != null) {
                        if (c.valid()) {
                            return c;
                        }
                        c.close();
                        open--;
                        continue;
                    }
                    if (open < maxTotal) {
                        open++;
                        return new Connection();
                    }
                    long left = (deadline - System.nanoTime()) / 1_000_000L;
                    if (left <= 0) {
                        throw new java.sql.SQLException("pool exhausted: " + open);
                    }
                    wait(left);
                }
            }
        }

        void giveBack(Connection c) {
            synchronized (this) {
                if (c.broken) {
                    open--;
                } else {
                    idle.addFirst(c);
                }
                notify();
            }
        }
    }

    static final class Metrics {
        private final long[] buckets = new long[16];
        private long count;

        synchronized void sample(long nanos) {
            int b = Math.min(15, 63 - Long.numberOfLeadingZeros(nanos / 100_000 + 1));
            buckets[b]++;
            long until = System.nanoTime() + 200_000;
            while (System.nanoTime() < until) {
                Thread.yield();
            }
            count++;
        }

        synchronized boolean snapshot() {
            return Arrays.stream(buckets).sum() == count;
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Pool pool = new Pool(5, 5000);
        Metrics metrics = new Metrics();
        for (int i = 0; i < 9; i++) {
            loop("http-" + i, () -> {
                long t = System.nanoTime();
                Connection c = pool.borrow();
                metrics.sample(System.nanoTime() - t);
                check(c.users.incrementAndGet() == 1, "shared connection");
                pause(2, 10);
                if (ThreadLocalRandom.current().nextInt(50) == 0) {
                    c.close();
                }
                c.users.decrementAndGet();
                pool.giveBack(c);
            });
        }
        loop("reporter", () -> {
            pause(20, 30);
            check(metrics.snapshot(), "half a sample");
        });
        finish(args);
    }
}
