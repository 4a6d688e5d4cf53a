// A pool of three connections with its waiting in the base class, as in Lea's chapter on state dependence, and its trace.
// @lock LeaPool$ConnectionPool
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire LeaPool$Pool.getItem
// @role release LeaPool$Pool.returnItem
// @lock LeaPool$Trace
// @type MUTEX
// @role enter LeaPool$Trace.add
// @role enter LeaPool$Trace.flush

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class LeaPool {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    abstract static class Pool<T> {
        private final ArrayDeque<T> available = new ArrayDeque<>();
        private final Set<T> checkedOut = new HashSet<>();

        final synchronized void fill(int n) {
            for (int i = 0; i < n; i++) {
                available.push(create(i));
            }
        }

        synchronized T getItem() throws InterruptedException {
            awaitItem();
            T item = available.pop();
            checkedOut.add(item);
            return item;
        }

        synchronized void returnItem(T item) {
            if (checkedOut.remove(item)) {
                available.push(item);
                notify();
            } else {
                bad = "returned what was not checked out";
            }
        }

        private void awaitItem() throws InterruptedException {
            while (available.isEmpty()) {
                wait();
            }
        }

        abstract T create(int i);
    }

    static final class Connection {
        final int number;
        volatile String user;

        Connection(int number) {
            this.number = number;
        }

        void query() throws InterruptedException {
            String me = Thread.currentThread().getName();
            check(user == null, "connection shared with " + user);
            user = me;
            nap(9);
            check(me.equals(user), "connection stolen");
            user = null;
        }
    }

    static final class ConnectionPool extends Pool<Connection> {
        @Override
        Connection create(int i) {
            return new Connection(i);
        }
    }

    static final class Trace {
        private List<String> lines = new ArrayList<>();
        private int pending;

        void add(String line) throws InterruptedException {
            synchronized (this) {
                lines.add(line);
                Thread.sleep(1);
                pending++;
            }
        }

        int flush() throws InterruptedException {
            synchronized (this) {
                check(lines.size() == pending, "trace");
                int n = pending;
                lines = new ArrayList<>();
                Thread.sleep(3);
                pending = 0;
                return n;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ConnectionPool pool = new ConnectionPool();
        pool.fill(3);
        Trace trace = new Trace();
        for (int i = 0; i < 6; i++) {
            go("servlet-" + i, () -> {
                Connection c = pool.getItem();
                try {
                    c.query();
                } finally {
                    pool.returnItem(c);
                }
                trace.add("query on " + c.number);
                OPS.incrementAndGet();
                nap(4);
            });
        }
        go("flusher", () -> {
            nap(9);
            trace.flush();
        });
        finish(args);
    }
}
