// Looms in groups of three that throw the shuttle together, and a foreman's table where three colours take turns.
// @lock LoomShed$Shed
// @type BARRIER parties=3
// @role arrive LoomShed$Shed.beat
// @lock LoomShed$Colours
// @type CONDITION
// @role wait LoomShed$Colours.awaitTurn
// @role notify LoomShed$Colours.next
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class LoomShed {
    enum Colour { MADDER, WELD, WOAD }

    static class Shed {
        private int missing = 3;
        private Object pick = new Object();     // a new one for each pick of the weft
        final int[] cloth = new int[3];
        int rows;

        void beat() throws InterruptedException {
            synchronized (this) {
                Object mine = pick;
                missing--;
                if (missing > 0) {
                    while (mine == pick) wait(1000);
                    return;
                }
                rows++;
                for (int c : cloth) check(c == rows, "looms out of step");
                missing = 3;
                pick = new Object();
                notifyAll();
            }
        }
    }

    static class Colours {
        private Colour turn = Colour.MADDER;

        synchronized void awaitTurn(Colour c) throws InterruptedException {
            while (turn != c) wait();
        }

        synchronized void next(Colour from) {
            check(turn == from, "out of turn");
            turn = Colour.values()[(from.ordinal() + 1) % 3];
            notifyAll();
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
        for (int s = 0; s < 2; s++) {
            Shed shed = new Shed();
            for (int i = 0; i < 3; i++) {
                int loom = i;
                spawn("loom-" + s + i, () -> {
                    nap(1, 6);
                    shed.cloth[loom]++;
                    shed.beat();
                });
            }
        }
        Colours colours = new Colours();
        StringBuffer order = new StringBuffer();
        for (Colour c : Colour.values())
            spawn(c.name(), () -> {
                colours.awaitTurn(c);
                order.append(c.ordinal());
                if (order.length() == 3) {
                    check(order.toString().equals("012"), "colours " + order);
                    order.setLength(0);
                }
                nap(1, 4);
                colours.next(c);
            });
        supervise(args);
    }
}
