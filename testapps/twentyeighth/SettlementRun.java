// @lock SettlementRun$LedgerLock
// @type READ-WRITE preference=fair
// @role read-lock SettlementRun$LedgerLock.shared
// @role read-unlock SettlementRun$LedgerLock.endShared
// @role write-lock SettlementRun$LedgerLock.exclusive
// @role write-unlock SettlementRun$LedgerLock.endExclusive
// @lock SettlementRun$Outcome
// @type JOIN
// @role join SettlementRun$Outcome.get

import java.util.LinkedList;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Roaming charges between operators: transfers, balances, and every now and then a statement made by a thread of its own. */
public final class SettlementRun {
    /** In the order of coming, readers in a row together. */
    static final class LedgerLock {
        private final LinkedList<Thread> line = new LinkedList<>();
        private int shared;
        private boolean exclusive;

        synchronized void shared() throws InterruptedException {
            queue(false);
            shared++;
            notifyAll();                // the next in line may be a reader, too
        }

        synchronized void exclusive() throws InterruptedException {
            queue(true);
            exclusive = true;
        }

        private void queue(boolean all) throws InterruptedException {
            Thread me = Thread.currentThread();
            line.addLast(me);
            try {
                while (line.getFirst() != me || exclusive || all && shared > 0) {
                    wait();
                }
            } catch (InterruptedException e) {
                notifyAll();
                throw e;
            } finally {
                line.remove(me);
            }
        }

        synchronized void endShared() {
            shared--;
            notifyAll();
        }

        synchronized void endExclusive() {
            exclusive = false;
            notifyAll();
        }
    }

    /** What a background calculation came to; complete when its thread has nothing left to do. */
    static final class Outcome<T> {
        private T value;
        private Exception problem;
        private boolean ended;

        private Outcome() {
        }

        static <T> Outcome<T> of(String name, Callable<T> work) {
            Outcome<T> o = new Outcome<>();
            Thread t = new Thread(() -> {
                T v = null;
                Exception p = null;
                try {
                    v = work.call();
                } catch (Exception e) {
                    p = e;
                }
                o.end(v, p);
            }, name);
            t.setDaemon(true);
            t.start();
            return o;
        }

        private synchronized void end(T v, Exception p) {
            value = v;
            problem = p;
            ended = true;
            notifyAll();
        }

        synchronized T get() throws Exception {
            while (!ended) {
                wait();
            }
            if (problem != null) {
                throw problem;
            }
            return value;
        }
    }

    private static final int SUM = 4_000;
    private final LedgerLock lock = new LedgerLock();
    private final int[] balance = {1_000, 1_000, 1_000, 1_000};
    private final AtomicLong done = new AtomicLong();
    private final AtomicInteger alive = new AtomicInteger();
    private volatile Exception failure;
    private volatile boolean stop;

    private int sum() throws InterruptedException {
        lock.shared();
        try {
            int s = 0;
            for (int b : balance) {
                s += b;
                Thread.sleep(1);
            }
            return s;
        } finally {
            lock.endShared();
        }
    }

    private void transfer() throws InterruptedException {
        ThreadLocalRandom r = ThreadLocalRandom.current();
        lock.exclusive();
        try {
            int amount = r.nextInt(50);
            balance[r.nextInt(4)] -= amount;
            Thread.sleep(2);
            balance[r.nextInt(4)] += amount;
        } finally {
            lock.endExclusive();
        }
    }

    private Thread start(String name, Callable<Void> body) {
        Thread t = new Thread(() -> {
            alive.incrementAndGet();
            try {
                while (!stop) {
                    body.call();
                    done.incrementAndGet();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 12));
                }
                alive.decrementAndGet();
            } catch (Exception e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    private Void check(int s) {
        if (s != SUM) {
            throw new IllegalStateException("the balances sum to " + s);
        }
        return null;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        SettlementRun run = new SettlementRun();
        Thread[] all = new Thread[7];
        for (int i = 0; i < all.length; i++) {
            if (i < 3) {
                all[i] = run.start("balance-" + i, () -> run.check(run.sum()));
            } else if (i < 5) {
                all[i] = run.start("transfer-" + i, () -> {
                    run.transfer();
                    return null;
                });
            } else {
                all[i] = run.start("statement-" + i, () -> run.check(Outcome.of("calc", run::sum).get()));
            }
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        run.stop = true;
        for (Thread t : all) {
            t.join(10_000);
        }
        if (run.failure != null || run.alive.get() != 0) {
            System.out.println(run.alive + " alive, " + run.failure);
            System.exit(1);
        }
        System.out.println("DONE " + run.done);
    }
}
