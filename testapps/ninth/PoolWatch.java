// @lock PoolWatch$ConnectionPool
// @type SEMAPHORE+CONDITION permits=3
// @role acquire PoolWatch$ConnectionPool.checkOut
// @role release PoolWatch$ConnectionPool.checkIn
// @role wait PoolWatch$ConnectionPool.awaitReturns
// @role notify PoolWatch$ConnectionPool.checkIn

import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Properties;
import java.util.Stack;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A connection pool written in 1999 and added to ever since. 2003: time limits. 2008: monitors that want to hear of every
 * connection that has come back, at the latest when they ask again.
 */
public class PoolWatch {
    static class Connection {
        final int id;
        volatile Thread user;
        int uses;

        Connection(int id) {
            this.id = id;
        }

        void query() throws InterruptedException {
            Thread me = Thread.currentThread();
            if (user != null) {
                failure = "connection " + id + " is used twice";
            }
            user = me;
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            if (user != me) {
                failure = "connection " + id + " changed hands";
            }
            uses++;
            user = null;
        }
    }

    static class ConnectionPool {
        private final Stack<Connection> free = new Stack<Connection>();
        private final List<Connection> all = new ArrayList<Connection>();
        private final long maxWait;
        private long returns;
        private long timeouts;

        ConnectionPool(Properties props) {
            int size = 0;
            for (Enumeration<?> e = props.propertyNames(); e.hasMoreElements();) {
                if (String.valueOf(e.nextElement()).startsWith("conn.")) {
                    Connection c = new Connection(size++);
                    free.push(c);
                    all.add(c);
                }
            }
            maxWait = Long.parseLong(props.getProperty("maxwait", "0"));
        }

        /** Null if there was none for too long. */
        synchronized Connection checkOut() throws InterruptedException {
            long deadline = System.currentTimeMillis() + maxWait;
            while (free.empty()) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    timeouts++;
                    return null;
                }
                wait(left);
            }
            return free.pop();
        }

        synchronized void checkIn(Connection c) {
            if (free.contains(c) || !all.contains(c)) {
                throw new IllegalArgumentException("connection " + c.id + " does not belong here");
            }
            free.push(c);
            returns++;
            notifyAll(); // not notify: monitors wait here as well
        }

        /** Waits for the first return after the seen-th, and tells how many there have been. */
        synchronized long awaitReturns(long seen) throws InterruptedException {
            while (returns <= seen) {
                wait();
            }
            return returns;
        }

        synchronized long timeouts() {
            return timeouts;
        }
    }

    static volatile String failure;
    static final AtomicLong queries = new AtomicLong();

    static void web(ConnectionPool pool) {
        try {
            while (failure == null) {
                Connection c = pool.checkOut();
                if (c == null) {
                    continue;
                }
                try {
                    c.query();
                    queries.incrementAndGet();
                } finally {
                    pool.checkIn(c);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(4));
            }
        } catch (InterruptedException e) {
            failure = "interrupted";
        }
    }

    static void monitor(ConnectionPool pool) {
        try {
            long seen = 0;
            while (failure == null) {
                long now = pool.awaitReturns(seen);
                if (now <= seen) {
                    failure = "nothing new, yet woken";
                }
                if (now > queries.get()) {
                    failure = "more returns than queries";
                }
                seen = now;
            }
        } catch (InterruptedException e) {
            failure = "interrupted";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Properties props = new Properties();
        for (String host : new String[] {"alpha", "beta", "gamma"}) {
            props.setProperty("conn." + host, "jdbc:old:" + host);
        }
        props.setProperty("maxwait", "300");
        ConnectionPool pool = new ConnectionPool(props);
        for (int i = 0; i < 9; i++) {
            Thread t = i < 7 ? new Thread(() -> web(pool)) : new Thread(() -> monitor(pool));
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000L);
        if (failure != null) {
            System.err.println(failure + " (" + pool.timeouts() + " timeouts)");
            System.exit(1);
        }
        System.out.println("DONE " + queries);
    }
}
