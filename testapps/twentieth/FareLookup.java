// Fares computed once each: who asks first starts it, the others share the promise; the book of open promises has a short guard.
// @lock FareLookup$Promise
// @type LATCH count=1 form=future
// @role count-down FareLookup$Promise.settle
// @role await FareLookup$Promise.get
// @lock java.util.HashMap#ask
// @type MUTEX
// @role enter FareLookup$Desk.ask
// @role enter FareLookup$Desk.forget
// @quiet
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class FareLookup {
    static class Promise<T> {
        private static final Object OPEN = new Object();
        private Object value = OPEN;
        private Exception failure;

        boolean fulfil(T v) { return settle(v, null); }

        boolean fail(Exception e) { return settle(null, e); }

        private boolean settle(Object v, Exception e) {
            synchronized (this) {
                if (value != OPEN) return false;
                value = v;
                failure = e;
                notifyAll();
                return true;
            }
        }

        @SuppressWarnings("unchecked")
        synchronized T get() throws Exception {
            while (value == OPEN) wait();
            if (failure != null) throw failure;
            return (T) value;
        }
    }

    static class Desk {
        private final Map<Integer, Promise<Long>> open = new HashMap<>();

        long ask(int route) throws Exception {
            Promise<Long> p;
            boolean mine = false;
            synchronized (open) {
                p = open.get(route);
                if (p == null) {
                    mine = true;
                    open.put(route, p = new Promise<>());
                }
            }
            if (mine) {
                nap(4, 12);
                forget(route);
                if (route == 3) check(p.fail(new java.io.IOException("no such route")), "settled twice");
                else check(p.fulfil(route * 100L), "settled twice");
            }
            return p.get();
        }

        private void forget(int route) {
            synchronized (open) { open.remove(route); }
        }
    }

    static final AtomicLong OPS = new AtomicLong();
    static volatile String bad;

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok) bad = what; }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(lo, hi + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    body.run();
                    OPS.incrementAndGet();
                }
            } catch (Exception | Error e) {
                e.printStackTrace();
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    /** Watches over the run: failures, and standstill for twenty seconds. */
    static void supervise(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(100);
            long now = OPS.get();
            still = now == seen ? still + 1 : 0;
            seen = now;
            check(still < 200, "standstill");
        }
        System.out.println(bad == null ? "DONE " + OPS.get() : "FAILED " + bad);
        System.out.flush();
        System.exit(bad == null ? 0 : 1);
    }
    public static void main(String[] args) throws Exception {
        Desk desk = new Desk();
        for (int i = 0; i < 6; i++)
            spawn("agent-" + i, () -> {
                int route = ThreadLocalRandom.current().nextInt(4);
                try {
                    check(desk.ask(route) == route * 100L && route != 3, "wrong fare");
                } catch (java.io.IOException e) {
                    check(route == 3, "failed fare");
                }
                nap(1, 3);
            });
        supervise(args);
    }
}
