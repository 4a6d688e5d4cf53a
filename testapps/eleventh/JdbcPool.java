// @lock JdbcPool$BasicPool
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire JdbcPool$BasicPool.borrow
// @role release JdbcPool$BasicPool.giveBack
// @role release JdbcPool$BasicPool.invalidate
//
// @lock JdbcPool$Evictor
// @type DELAY
// @role delay JdbcPool$Evictor.pause
//
// @lock JdbcPool$SqlTrace
// @type MUTEX
// @role enter JdbcPool$SqlTrace.append

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A connection pool of at most four, with an evictor of idle connections and a trace file that all connections share. */
public final class JdbcPool {
    static final class Connection {
        private static final AtomicInteger OPEN = new AtomicInteger();
        final AtomicBoolean inUse = new AtomicBoolean();
        long lastUsed = System.nanoTime();

        Connection() {
            OPEN.incrementAndGet();
        }

        void execute(SqlTrace trace, String sql) throws InterruptedException {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            trace.append(sql);
        }

        void physicalClose() {
            OPEN.decrementAndGet();
        }
    }

    static final class SqlTrace {
        private final StringBuilder page = new StringBuilder();
        private long lines;

        synchronized void append(String sql) throws InterruptedException {
            page.append(sql).append('\n');
            lines++;
            if (page.length() > 100) {
                Thread.sleep(1);
                page.setLength(0);
            }
        }

        synchronized long lines() {
            return lines;
        }
    }

    static final class BasicPool {
        private static final int MAX_ACTIVE = 4;
        private final Deque<Connection> idle = new ArrayDeque<>();
        private int active;

        synchronized Connection borrow(long maxWaitMillis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + maxWaitMillis;
            while (active >= MAX_ACTIVE) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    return null;
                }
                wait(left);
            }
            active++;
            Connection c = idle.pollFirst();
            return c != null ? c : new Connection();
        }

        synchronized void giveBack(Connection c) {
            c.lastUsed = System.nanoTime();
            active--;
            idle.addFirst(c);
            notify();
        }

        synchronized void invalidate(Connection c) {
            c.physicalClose();
            active--;
            notify();
        }

        synchronized void evictOlderThan(long nanos) {
            while (!idle.isEmpty() && System.nanoTime() - idle.peekLast().lastUsed > nanos) {
                idle.pollLast().physicalClose();
            }
        }
    }

    static final class Evictor extends Thread {
        private final BasicPool pool;

        Evictor(BasicPool pool) {
            super("evictor");
            this.pool = pool;
        }

        private synchronized void pause(long millis) throws InterruptedException {
            wait(millis);
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    pause(6);
                    pool.evictOlderThan(4_000_000);
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    private static final AtomicLong statements = new AtomicLong();
    private static volatile String failure;

    private static void serve(BasicPool pool, SqlTrace trace) {
        try {
            while (failure == null) {
                Connection c = pool.borrow(2000);
                if (c == null) {
                    continue;
                }
                if (!c.inUse.compareAndSet(false, true)) {
                    failure = "a connection lent twice";
                }
                if (Connection.OPEN.get() > 8) {
                    failure = "too many connections";
                }
                c.execute(trace, "SELECT * FROM orders WHERE id=" + statements.incrementAndGet());
                c.inUse.set(false);
                if (ThreadLocalRandom.current().nextInt(20) == 0) {
                    pool.invalidate(c);
                } else {
                    pool.giveBack(c);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(3));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        BasicPool pool = new BasicPool();
        SqlTrace trace = new SqlTrace();
        Thread evictor = new Evictor(pool);
        evictor.setDaemon(true);
        evictor.start();
        for (int i = 0; i < 9; i++) {
            Thread t = new Thread(() -> serve(pool, trace), "http-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure == null && trace.lines() > statements.get()) {
            failure = "more lines than statements";
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + statements);
    }
}
