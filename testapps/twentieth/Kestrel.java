// Surveys: a thread for each stretch of coast, all joined; each adds its sightings to a list that is its own guard.
// @lock Kestrel$Leg
// @type JOIN
// @role join java.lang.Thread.join
// @lock java.util.ArrayList#run
// @type MUTEX
// @role enter Kestrel$Leg.run
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class Kestrel {
    static class Leg extends Thread {
        private final List<Integer> out;
        private final int stretch;
        private int found;

        Leg(List<Integer> out, int stretch) {
            super("leg-" + stretch);
            this.out = out;
            this.stretch = stretch;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < 3; i++) {
                    nap(0, 1);
                    synchronized (out) {
                        out.add(stretch);
                        Thread.sleep(2);
                        found++;
                    }
                }
            } catch (InterruptedException e) {
                interrupt();
            }
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
    static void survey(int legs) throws InterruptedException {
        List<Integer> sightings = new ArrayList<>();
        List<Leg> all = new LinkedList<>();
        for (int i = 0; i < legs; i++) {
            Leg leg = new Leg(sightings, i);
            all.add(leg);
            leg.start();
        }
        int n = 0;
        for (Leg leg : all) {
            leg.join();
            n += leg.found;
        }
        check(n == legs * 3 && sightings.size() == n, "sightings lost");
    }

    public static void main(String[] args) throws Exception {
        for (int i = 2; i <= 3; i++) {
            int legs = i + 1;
            spawn("chief-" + i, () -> {
                survey(legs);
                nap(1, 4);
            });
        }
        supervise(args);
    }
}
