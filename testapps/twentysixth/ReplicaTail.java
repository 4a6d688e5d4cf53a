// @lock ReplicaTail$Position
// @type CONDITION
// @role wait ReplicaTail$Position.reach
// @role notify ReplicaTail$Position.moveTo
//
// @lock java.util.ArrayDeque#ship
// @type PRODUCER-CONSUMER capacity=10
// @role put ReplicaTail.ship
// @role take ReplicaTail.fetch

import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Log shipping: the primary ships records, the replica applies them, readers wait until theirs is applied. */
public class ReplicaTail {

    static final class Position {
        private long applied;

        /** False when the replica lags too far behind. */
        synchronized boolean reach(long lsn, long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (applied < lsn) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        }

        synchronized void moveTo(long lsn) {
            if (lsn != applied + 1) {
                fault = "applied " + lsn + " after " + applied;
            }
            applied = lsn;
            notifyAll();
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();

    private static final int LIMIT = 10;
    private final ArrayDeque<Long> stream = new ArrayDeque<Long>();
    private final Position position = new Position();
    private volatile long written;

    private void ship(long lsn) throws InterruptedException {
        synchronized (stream) {
            while (stream.size() >= LIMIT) {
                stream.wait();
            }
            stream.add(lsn);
            stream.notifyAll();
        }
    }

    private long fetch() throws InterruptedException {
        synchronized (stream) {
            while (stream.isEmpty()) {
                stream.wait();
            }
            long lsn = stream.remove();
            stream.notifyAll();
            return lsn;
        }
    }

    private void primary() throws InterruptedException {
        long lsn = 0;
        while (true) {
            int burst = ThreadLocalRandom.current().nextInt(1, 25);
            for (int i = 0; i < burst; i++) {
                ship(++lsn);
                written = lsn;
            }
            Thread.sleep(burst);
        }
    }

    private void replica() throws InterruptedException {
        while (true) {
            long lsn = fetch();
            if (ThreadLocalRandom.current().nextInt(3) == 0) {
                Thread.sleep(2);
            }
            position.moveTo(lsn);
        }
    }

    private void reader(int ahead) throws InterruptedException {
        while (true) {
            if (position.reach(written + ahead, 500)) {
                OPS.incrementAndGet();
            }
            Thread.sleep(3);
        }
    }

    private void run(final int role) {
        Thread t = new Thread("role-" + role) {
            @Override public void run() {
                try {
                    if (role == 0) {
                        primary();
                    } else if (role == 1) {
                        replica();
                    } else {
                        reader(role);
                    }
                } catch (InterruptedException e) {
                    fault = "interrupted";
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int pair = 0; pair < 2; pair++) {
            ReplicaTail r = new ReplicaTail();
            for (int role = 0; role < 5; role++) {
                r.run(role);
            }
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && fault == null) {
            Thread.sleep(50);
        }
        System.out.println(fault == null ? "DONE " + OPS.get() : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
