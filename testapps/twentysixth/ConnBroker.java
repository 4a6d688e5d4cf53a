// @lock ConnBroker$Pool
// @type SEMAPHORE permits=4 form=object-pool
// @role acquire ConnBroker$Pool.borrow
// @role release ConnBroker$Pool.giveBack
//
// @lock ConnBroker$Reaper
// @type DELAY
// @role delay ConnBroker$Reaper.rest

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A connection manager: seven sessions share four back-end connections; reapers look after the idle ones. */
public class ConnBroker {

    static final class Connection {
        final int number;
        volatile Thread user;
        volatile long lastUsed;

        Connection(int number) {
            this.number = number;
        }
    }

    static final class Pool {
        private final List<Connection> idle = new ArrayList<Connection>();
        final Connection[] all = new Connection[4];

        Pool() {
            for (int i = 0; i < all.length; i++) {
                all[i] = new Connection(i);
                idle.add(all[i]);
            }
        }

        /** Null when the time is up. */
        synchronized Connection borrow(long millis) throws InterruptedException {
            long deadline = System.nanoTime() + millis * 1000000L;
            while (idle.isEmpty()) {
                long left = (deadline - System.nanoTime()) / 1000000L;
                if (left <= 0) {
                    return null;
                }
                wait(left);
            }
            return idle.remove(idle.size() - 1);
        }

        synchronized void giveBack(Connection c) {
            if (idle.contains(c)) {
                fault = "connection " + c.number + " came back twice";
                return;
            }
            idle.add(c);
            notify();
        }
    }

    static final class Reaper extends Thread {
        private final Pool pool;
        private final int period;
        private long rounds;

        Reaper(Pool pool, int period) {
            super("reaper-" + period);
            this.pool = pool;
            this.period = period;
            setDaemon(true);
        }

        private synchronized void rest(long millis) throws InterruptedException {
            long until = System.nanoTime() + millis * 1000000L;
            long left = millis;
            while (left > 0) {
                wait(left);
                left = (until - System.nanoTime()) / 1000000L;
            }
        }

        @Override public void run() {
            try {
                while (true) {
                    rest(period);
                    long now = System.nanoTime();
                    for (Connection c : pool.all) {
                        if (c.user == null && now - c.lastUsed > 60000000000L) {
                            c.lastUsed = now;
                        }
                    }
                    rounds++;
                    if (rounds < 0) {
                        fault = "round counter ran over";
                    }
                }
            } catch (InterruptedException e) {
                fault = getName() + " interrupted";
            }
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();

    static class Session implements Runnable {
        private final Pool pool;
        private int misses;

        Session(Pool pool) {
            this.pool = pool;
        }

        @Override public void run() {
            try {
                while (true) {
                    Connection c = pool.borrow(200);
                    if (c == null) {
                        misses++;
                        continue;
                    }
                    try {
                        if (c.user != null) {
                            fault = "connection " + c.number + " is used by two";
                        }
                        c.user = Thread.currentThread();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
                        c.lastUsed = System.nanoTime();
                        c.user = null;
                    } finally {
                        pool.giveBack(c);
                    }
                    OPS.incrementAndGet();
                    Thread.sleep(2);
                }
            } catch (InterruptedException e) {
                fault = "session interrupted after " + misses + " misses";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Pool pool = new Pool();
        for (int i = 0; i < 7; i++) {
            Thread t = new Thread(new Session(pool), "session-" + i);
            t.setDaemon(true);
            t.start();
        }
        new Reaper(pool, 8).start();
        new Reaper(pool, 13).start();
        System.out.println("READY");
        Thread.sleep(0);
        for (long left = seconds * 20L; left > 0; left--) {
            Thread.sleep(50);
            if (fault != null) {
                System.out.println("FAULT " + fault);
                System.exit(1);
            }
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }
}
