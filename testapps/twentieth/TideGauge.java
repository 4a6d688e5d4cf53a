// Ships wait in the roads until the water is deep enough for them; two mates at a time swap their log books.
// @lock TideGauge$Gauge
// @type CONDITION
// @role wait TideGauge$Gauge.awaitDepth
// @role notify TideGauge$Gauge.reading
// @lock TideGauge$Swap
// @type BARRIER parties=2 form=exchanger
// @role arrive TideGauge$Swap.swap
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class TideGauge {
    static class Gauge {
        private double depth;
        private final List<Double> draughts = new LinkedList<>();

        synchronized double awaitDepth(double draught) throws InterruptedException {
            draughts.add(draught);
            try {
                while (depth < draught) wait();
                return depth;
            } finally {
                draughts.remove(draught);
            }
        }

        synchronized void reading(double metres) {
            boolean rising = metres > depth;
            depth = metres;
            if (!rising) return;
            for (double d : draughts)
                if (d <= depth) {
                    notifyAll();
                    return;
                }
        }
    }

    static class Swap {
        private static class Offer {
            final String book;
            String answer;

            Offer(String book) { this.book = book; }
        }

        private Offer open;

        synchronized String swap(String book) throws InterruptedException {
            if (open == null) {
                Offer mine = open = new Offer(book);
                while (mine.answer == null) wait();
                return mine.answer;
            }
            Offer other = open;
            open = null;
            other.answer = book;
            notifyAll();
            return other.book;
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
        Gauge gauge = new Gauge();
        for (int i = 0; i < 4; i++) {
            double draught = 2 + i;
            spawn("ship-" + i, () -> {
                check(gauge.awaitDepth(draught) >= draught, "aground");
                nap(2, 8);
            });
        }
        int[] t = { 0 };
        spawn("tide", () -> {
            nap(1, 4);
            gauge.reading(4 + 4 * Math.sin(++t[0] / 3.0));
        });
        Swap swap = new Swap();
        for (int i = 0; i < 2; i++) {
            String me = "mate-" + i;
            int[] n = { 0 };
            spawn(me, () -> {
                nap(1, 7);
                String got = swap.swap(me + ":" + ++n[0]);
                check(!got.startsWith(me) && got.endsWith(":" + n[0]), "wrong book " + got);
            });
        }
        supervise(args);
    }
}
