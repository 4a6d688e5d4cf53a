// A hotel: clerks move charges between folios, a night auditor adds everything up; the clerks rest at a clock in between.
// @lock java.lang.Object#move
// @type MUTEX
// @role enter HotelFolios$Folios.move
// @role enter HotelFolios$Folios.sum
// @role enter HotelFolios$Folios.richest
// @lock HotelFolios$Clock
// @type DELAY
// @role delay HotelFolios$Clock.rest
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class HotelFolios {
    static class Folios {
        private final Object guard = new Object();
        private final int[] cents = new int[12];
        private long moves;

        void move(int from, int to, int amount) throws InterruptedException {
            synchronized (guard) {
                cents[from] -= amount;
                if (moves % 2 == 0) Thread.sleep(2);    // written through to the journal
                cents[to] += amount;
                moves++;
            }
        }

        int sum() throws InterruptedException {
            int total = 0;
            synchronized (guard) {
                for (int c : cents) total += c;
                Thread.sleep(3);
                for (int c : cents) total -= c;
                for (int c : cents) total += c;
            }
            return total;
        }

        int richest() {
            synchronized (guard) {
                int best = 0;
                for (int i = 1; i < cents.length; i++)
                    if (cents[i] > cents[best]) best = i;
                return best;
            }
        }
    }

    /** One clock on the wall for everybody: whoever rests here rests for the whole time. */
    static class Clock {
        synchronized long rest(long millis) throws InterruptedException {
            long from = System.nanoTime(), until = from + millis * 1_000_000;
            for (long left = until - from; left > 0; left = until - System.nanoTime())
                wait(left / 1_000_000 + 1);
            return System.nanoTime() - until;
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
        Folios folios = new Folios();
        Clock clock = new Clock();
        for (int i = 0; i < 4; i++)
            spawn("clerk-" + i, () -> {
                ThreadLocalRandom r = ThreadLocalRandom.current();
                int from = folios.richest(), to = r.nextInt(12);
                folios.move(from, to, r.nextInt(1, 500));
                check(clock.rest(r.nextInt(2, 6)) >= 0, "rested too little");
            });
        spawn("auditor", () -> {
            check(folios.sum() == 0, "folios do not add up");
            nap(4, 9);
        });
        supervise(args);
    }
}
