// @lock java.lang.Object#lookup
// @type MUTEX
// @role enter RouteCache.lookup
// @role enter RouteCache.forget
// @lock RouteCache$Pending
// @type LATCH count=1
// @role count-down RouteCache$Pending.publish
// @role await RouteCache$Pending.route

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Routes from town to town. Who finds none computes it and lets everybody else wait who wants the same; the table is
 * divided in three, each part with its own lock object.
 */
public final class RouteCache {
    private static final int PARTS = 3;
    private static final int TOWNS = 7;

    /** A route that somebody is computing, or has computed. */
    static final class Pending {
        private String text;

        void publish(String route) {
            synchronized (this) {
                text = route;
                notifyAll();
            }
        }

        String route() throws InterruptedException {
            synchronized (this) {
                while (text == null) {
                    wait();
                }
                return text;
            }
        }
    }

    private final Object[] locks = new Object[PARTS];
    private final AtomicIntegerArray within = new AtomicIntegerArray(PARTS);
    private final Map<Integer, Pending>[] tables;
    private final AtomicLong answers = new AtomicLong();
    private volatile String bug;

    @SuppressWarnings("unchecked")
    RouteCache() {
        tables = (Map<Integer, Pending>[]) new Map<?, ?>[PARTS];
        for (int i = 0; i < PARTS; i++) {
            locks[i] = new Object();
            tables[i] = new HashMap<>();
        }
    }

    String lookup(int town) throws InterruptedException {
        Pending p;
        boolean mine = false;
        int part = town % PARTS;
        synchronized (locks[part]) {
            alone(part);
            p = tables[part].get(town);
            if (p == null) {
                mine = true;
                tables[part].put(town, p = new Pending());
            }
            within.decrementAndGet(part);
        }
        if (mine) {
            p.publish(compute(town));
        }
        return p.route();
    }

    private void forget(int town) throws InterruptedException {
        int part = town % PARTS;
        synchronized (locks[part]) {
            alone(part);
            tables[part].remove(town);
            within.decrementAndGet(part);
        }
    }

    private void alone(int part) throws InterruptedException {
        if (within.incrementAndGet(part) != 1) {
            bug = "two threads in one part of the table";
        }
        Thread.sleep(1);                    // the table was on disk once
    }

    private static String compute(int town) throws InterruptedException {
        StringBuilder b = new StringBuilder();
        for (int leg = 0; leg < 5; leg++) {
            b.append(town).append('-');
            Thread.sleep(2);
        }
        return b.toString();
    }

    private void driver() {
        try {
            for (;;) {
                int town = ThreadLocalRandom.current().nextInt(TOWNS);
                String r = lookup(town);
                if (r.charAt(0) != '0' + town || r.length() != 10) {
                    bug = "the way to " + town + " is " + r;
                }
                answers.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void roadworks() {
        try {
            for (int town = 0;; town = (town + 3) % TOWNS) {
                forget(town);
                Thread.sleep(3);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        RouteCache cache = new RouteCache();
        ThreadGroup fleet = new ThreadGroup("fleet");
        Thread[] all = new Thread[8];
        for (int i = 0; i < all.length; i++) {
            all[i] = i == 0 ? new Thread(fleet, cache::roadworks, "roadworks") : new Thread(fleet, cache::driver, "driver-" + i);
            all[i].setDaemon(true);
            all[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (cache.bug != null || cache.answers.get() == 0) {
            System.out.println("FAILED " + cache.bug);
            System.exit(1);
        }
        System.out.println("DONE " + cache.answers);
    }
}
