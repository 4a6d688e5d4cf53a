// @lock LinkPool$ConnectionPool
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire LinkPool$Pool.borrow
// @role release LinkPool$Pool.giveBack
// @role release LinkPool$Pool.discard

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A pool in the manner of the commons libraries: objects are made when needed, up to a maximum, and broken ones thrown away. */
public final class LinkPool {

    abstract static class Pool<T> {
        private final Deque<T> idle = new ArrayDeque<>();
        private final int maxTotal;
        private int total;

        protected Pool(int maxTotal) {
            this.maxTotal = maxTotal;
        }

        protected abstract T create();

        protected abstract boolean validate(T object);

        public synchronized T borrow(long maxWait) throws InterruptedException, TimeoutException {
            long deadline = System.currentTimeMillis() + maxWait;
            while (true) {
                T object = idle.pollLast();
                if (object != null) {
                    if (validate(object)) {
                        return object;
                    }
                    total--;
                    continue;
                }
                if (total < maxTotal) {
                    total++;
                    return create();
                }
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    throw new TimeoutException("pool exhausted");
                }
                wait(left);
            }
        }

        public synchronized void giveBack(T object) {
            idle.addLast(object);
            notify();
        }

        public synchronized void discard(T object) {
            if (idle.contains(object)) {
                throw new IllegalArgumentException("not borrowed");
            }
            total--;
            notify();
        }
    }

    static final class Connection {
        final AtomicBoolean busy = new AtomicBoolean();
        private int statements;

        void execute() throws InterruptedException {
            if (!busy.compareAndSet(false, true)) {
                throw new IllegalStateException("a connection lent twice");
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            statements++;
            busy.set(false);
        }

        boolean isStale() {
            return statements > 20;
        }
    }

    static final class ConnectionPool extends Pool<Connection> {
        ConnectionPool(int maxTotal) {
            super(maxTotal);
        }

        @Override
        protected Connection create() {
            return new Connection();
        }

        @Override
        protected boolean validate(Connection connection) {
            return !connection.isStale();
        }
    }

    private static volatile Throwable failure;

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ConnectionPool pool = new ConnectionPool(3);
        AtomicLong transactions = new AtomicLong();
        AtomicLong open = new AtomicLong();
        for (int i = 0; i < 8; i++) {
            Thread thread = new Thread(() -> {
                try {
                    for (;;) {
                        Connection connection = pool.borrow(5000);
                        if (open.incrementAndGet() > 3) {
                            throw new IllegalStateException("more than three connections in use");
                        }
                        connection.execute();
                        open.decrementAndGet();
                        if (ThreadLocalRandom.current().nextInt(30) == 0) {
                            pool.discard(connection);
                        } else {
                            pool.giveBack(connection);
                        }
                        transactions.incrementAndGet();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(4));
                    }
                } catch (Throwable t) {
                    failure = t;
                }
            }, "http-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new Exception(failure);
        }
        System.out.println("DONE " + transactions);
    }
}
