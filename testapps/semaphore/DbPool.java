// @lock DbPool
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire DbPool.borrow
// @role release DbPool.giveBack

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A pool of four database connections used by seven web threads. */
public final class DbPool {
    static final class Connection {
        private final AtomicBoolean busy = new AtomicBoolean();
        private long statements;

        void execute() throws InterruptedException {
            if (!busy.compareAndSet(false, true)) {
                throw new IllegalStateException("two threads on one connection");
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
            statements++;
            busy.set(false);
        }
    }

    private final Deque<Connection> idle = new ArrayDeque<>();

    DbPool(int size) {
        for (int i = 0; i < size; i++) {
            idle.push(new Connection());
        }
    }

    synchronized Connection borrow() throws InterruptedException {
        while (idle.isEmpty()) {
            wait();
        }
        return idle.pop();
    }

    synchronized void giveBack(Connection c) {
        idle.push(c);
        notify();
    }

    private static volatile boolean failed;
    private static final AtomicLong statements = new AtomicLong();

    private static void web(DbPool pool) {
        try {
            while (!failed) {
                Connection c = pool.borrow();
                try {
                    c.execute();
                    statements.incrementAndGet();
                } finally {
                    pool.giveBack(c);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failed = true;
            e.printStackTrace();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        DbPool pool = new DbPool(4);
        for (int i = 0; i < 7; i++) {
            Thread t = new Thread(() -> web(pool), "web-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("the pool lent a connection twice");
        }
        System.out.println("DONE " + statements);
    }
}
