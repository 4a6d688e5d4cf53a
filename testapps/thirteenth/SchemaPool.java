// A database whose schema once was a pool of connections, and whose log shippers once shared a semaphore. What is left
// of them are the names: "Pool" lets many look at the schema or one change it, "Semaphore" makes three shippers take turns.
//
// @lock SchemaPool$Pool
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock SchemaPool$Pool.borrow
// @role read-unlock SchemaPool$Pool.giveBack
// @role write-lock SchemaPool$Pool.drain
// @role write-unlock SchemaPool$Pool.refill
//
// @lock SchemaPool$Semaphore
// @type CONDITION
// @role wait SchemaPool$Semaphore.acquire
// @role notify SchemaPool$Semaphore.release

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class SchemaPool {
    static volatile String broken;
    static final AtomicLong queries = new AtomicLong(), shipped = new AtomicLong();

    static final class Pool {
        private final Map<Thread, Integer> lent = new HashMap<>();
        private Thread drainer;
        private int drained;

        synchronized void borrow() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (drainer != null && drainer != me)
                wait();
            lent.merge(me, 1, Integer::sum);
        }

        synchronized void giveBack() {
            Thread me = Thread.currentThread();
            Integer n = lent.get(me);
            if (n == null)
                throw new IllegalStateException("nothing borrowed");
            if (n > 1)
                lent.put(me, n - 1);
            else {
                lent.remove(me);
                if (lent.isEmpty())
                    notifyAll();
            }
        }

        synchronized void drain() throws InterruptedException {
            Thread me = Thread.currentThread();
            if (drainer == me) {
                drained++;
                return;
            }
            while (drainer != null || !lent.isEmpty())
                wait();
            drainer = me;
            drained = 1;
        }

        synchronized void refill() {
            if (drainer != Thread.currentThread())
                throw new IllegalStateException("not drained");
            if (--drained == 0) {
                drainer = null;
                notifyAll();
            }
        }
    }

    static final class Semaphore {
        private final int permits;
        private int next;

        Semaphore(int permits) {
            this.permits = permits;
        }

        /** Waits for the caller's turn. */
        synchronized void acquire(int who) throws InterruptedException {
            while (next != who)
                wait();
        }

        synchronized void release() {
            next = (next + 1) % permits;
            notifyAll();
        }
    }

    private final Pool pool = new Pool();
    private final Semaphore turn = new Semaphore(3);
    private int tables = 10, columns = 70;
    private int lastShipper = 2;

    void query() throws InterruptedException {
        for (;;) {
            pool.borrow();
            try {
                int before = columns;
                Thread.sleep(1);
                if (plan() != before / 7)
                    broken = "the schema moved under a query";
            } finally {
                pool.giveBack();
            }
            queries.incrementAndGet();
            Thread.sleep(2 + ThreadLocalRandom.current().nextInt(8));
        }
    }

    private int plan() throws InterruptedException {
        pool.borrow();
        try {
            return tables;
        } finally {
            pool.giveBack();
        }
    }

    void alter() throws InterruptedException {
        for (;;) {
            pool.drain();
            try {
                columns += 7;
                Thread.sleep(1);
                addTable();
            } finally {
                pool.refill();
            }
            Thread.sleep(5 + ThreadLocalRandom.current().nextInt(9));
        }
    }

    private void addTable() throws InterruptedException {
        pool.drain();
        try {
            tables++;
        } finally {
            pool.refill();
        }
    }

    void ship(int who) throws InterruptedException {
        for (;;) {
            turn.acquire(who);
            if ((lastShipper + 1) % 3 != who)
                broken = "shipper " + who + " is out of turn";
            lastShipper = who;
            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(2));
            turn.release();
            shipped.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final SchemaPool db = new SchemaPool();
        for (int i = 0; i < 9; i++) {
            final int n = i;
            Thread t = new Thread("db-" + i) {
                @Override
                public void run() {
                    try {
                        if (n < 3)
                            db.ship(n);
                        else if (n < 5)
                            db.alter();
                        else
                            db.query();
                    } catch (InterruptedException | RuntimeException e) {
                        broken = getName() + ": " + e;
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (broken == null && System.nanoTime() < end)
            Thread.sleep(20);
        if (broken == null && (queries.get() == 0 || shipped.get() == 0))
            broken = "no progress";
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + (queries.get() + shipped.get()));
    }
}
