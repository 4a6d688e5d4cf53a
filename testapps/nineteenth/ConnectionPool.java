// A web tier: request threads borrow one of four database connections and write an access log that a housekeeper rotates.
//
// @lock ConnectionPool$Pool
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire ConnectionPool$Pool.borrow
// @role acquire ConnectionPool$Pool.tryBorrow
// @role release ConnectionPool$Pool.giveBack
//
// @lock ConnectionPool$AccessLog
// @type MUTEX
// @role enter ConnectionPool$AccessLog.line
// @role enter ConnectionPool$AccessLog.rotate

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class ConnectionPool {
    static final AtomicLong served = new AtomicLong();
    static final AtomicInteger inUse = new AtomicInteger();
    static volatile String broken;

    static final class Connection {
        final int number;
        volatile Thread user;

        Connection(int number) {
            this.number = number;
        }

        void query(long millis) throws InterruptedException {
            if (user != null) {
                broken = "connection " + number + " used by two";
            }
            user = Thread.currentThread();
            if (inUse.incrementAndGet() > 4) {
                broken = "more than four connections in use";
            }
            Thread.sleep(millis);
            inUse.decrementAndGet();
            user = null;
        }
    }

    static final class Pool {
        private final ArrayDeque<Connection> idle = new ArrayDeque<>();

        Pool(int size) {
            for (int i = 0; i < size; i++) {
                idle.add(new Connection(i));
            }
        }

        synchronized Connection borrow() throws InterruptedException {
            while (idle.isEmpty()) {
                wait();
            }
            return idle.pop();
        }

        synchronized Connection tryBorrow(long millis) throws InterruptedException {
            long deadline = System.nanoTime() + millis * 1_000_000L;
            while (idle.isEmpty()) {
                long left = (deadline - System.nanoTime()) / 1_000_000L;
                if (left <= 0) {
                    return null;
                }
                wait(left);
            }
            return idle.pop();
        }

        synchronized void giveBack(Connection c) {
            idle.push(c);
            notify();
        }
    }

    static final class AccessLog {
        private final StringBuilder current = new StringBuilder();
        private int lines;
        private long archived;

        synchronized void line(String text) throws InterruptedException {
            int before = lines;
            current.append(text).append('\n');
            Thread.sleep(1); // the disk
            lines = before + 1;
        }

        synchronized long rotate() throws InterruptedException {
            int found = 0;
            for (int i = 0; i < current.length(); i++) {
                if (current.charAt(i) == '\n') {
                    found++;
                }
            }
            if (found != lines) {
                broken = "log has " + found + " lines, counted " + lines;
            }
            Thread.sleep(2);
            archived += found;
            current.setLength(0);
            lines = 0;
            return archived;
        }
    }

    static void serve(Pool pool, AccessLog log) throws InterruptedException {
        ThreadLocalRandom rnd = ThreadLocalRandom.current();
        while (true) {
            Connection c = rnd.nextInt(4) == 0 ? pool.tryBorrow(15) : pool.borrow();
            if (c == null) {
                log.line("503");
                continue;
            }
            try {
                c.query(3 + rnd.nextInt(5));
            } finally {
                pool.giveBack(c);
            }
            log.line("200 via " + c.number);
            served.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Pool pool = new Pool(4);
        AccessLog log = new AccessLog();
        for (int i = 0; i < 9; i++) {
            Thread t = new Thread(() -> {
                try {
                    serve(pool, log);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "web-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(20);
            log.rotate();
        }
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + served.get());
        System.exit(0);
    }
}
