// @lock ConnBroker$Pool
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire ConnBroker$Pool.getConnection
// @role release ConnBroker$Pool.freeConnection

import java.util.Vector;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** The connection pool of many a servlet book: connections are opened on demand, up to four, and callers wait a while for one. */
public final class ConnBroker {
    static final class Conn {
        final int number;
        final AtomicBoolean busy = new AtomicBoolean();

        Conn(int number) {
            this.number = number;
        }
    }

    static final class Pool {
        private final Vector<Conn> freeConnections = new Vector<>();
        private final int maxConn;
        private int checkedOut;
        private int opened;

        Pool(int maxConn) {
            this.maxConn = maxConn;
        }

        synchronized Conn getConnection(long timeout) {
            long start = System.currentTimeMillis();
            Conn con;
            while ((con = pick()) == null) {
                long left = timeout - (System.currentTimeMillis() - start);
                if (left <= 0) {
                    return null;
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return null;
                }
            }
            checkedOut++;
            return con;
        }

        synchronized void freeConnection(Conn con) {
            freeConnections.addElement(con);
            checkedOut--;
            notifyAll();
        }

        private Conn pick() {
            if (freeConnections.size() > 0) {
                Conn con = freeConnections.firstElement();
                freeConnections.removeElementAt(0);
                return con;
            }
            return checkedOut < maxConn ? new Conn(++opened) : null;
        }
    }

    private static volatile boolean shutdown;
    private static final AtomicBoolean shared = new AtomicBoolean();
    private static final AtomicLong queries = new AtomicLong();

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        final Pool pool = new Pool(4);
        Thread[] servlets = new Thread[9];
        for (int i = 0; i < servlets.length; i++) {
            servlets[i] = new Thread("servlet-" + i) {
                @Override
                public void run() {
                    while (!shutdown) {
                        Conn con = pool.getConnection(400);
                        if (con == null) {
                            continue;
                        }
                        try {
                            if (con.number > 4 || !con.busy.compareAndSet(false, true)) {
                                shared.set(true);
                            }
                            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
                            queries.incrementAndGet();
                            con.busy.set(false);
                        } catch (InterruptedException e) {
                            return;
                        } finally {
                            pool.freeConnection(con);
                        }
                        Thread.yield();
                    }
                }
            };
            servlets[i].setDaemon(true);
            servlets[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        shutdown = true;
        for (Thread t : servlets) {
            t.join(5_000);
        }
        if (shared.get() || queries.get() == 0) {
            System.err.println("a connection had two users, or nobody any");
            System.exit(1);
        }
        System.out.println("DONE " + queries);
    }
}
