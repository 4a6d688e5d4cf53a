// A timetable looked up by desks and redrawn by planners, who go first; trains call how far they are, boards wait for a distance.
// @lock Timetable$Guard
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Timetable$Guard.beginLook
// @role read-unlock Timetable$Guard.endLook
// @role write-lock Timetable$Guard.beginDraw
// @role write-unlock Timetable$Guard.endDraw
// @lock Timetable$Train
// @type CONDITION
// @role wait Timetable$Train.awaitKm
// @role notify Timetable$Train.at
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
public class Timetable {
    enum Use { NONE, LOOK, DRAW }

    static class Guard {
        private Use use = Use.NONE;
        private int looking, planners;

        synchronized void beginLook() throws InterruptedException {
            while (use == Use.DRAW || planners > 0) wait();
            use = Use.LOOK;
            looking++;
        }

        synchronized void endLook() {
            if (--looking == 0) {
                use = Use.NONE;
                notifyAll();
            }
        }

        synchronized void beginDraw() throws InterruptedException {
            planners++;
            try {
                while (use != Use.NONE) wait();
                use = Use.DRAW;
            } finally {
                planners--;
                if (use != Use.DRAW) notifyAll();
            }
        }

        synchronized void endDraw() {
            use = Use.NONE;
            notifyAll();
        }
    }

    static class Train {
        private int km;

        synchronized void at(int km) {
            this.km = km;
            notifyAll();
        }

        /** False if the train has turned back meanwhile, or is late. */
        synchronized boolean awaitKm(int wanted, long millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1_000_000;
            while (km < wanted) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) return false;
                wait(left);
            }
            return true;
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
        Guard guard = new Guard();
        int[] table = new int[20];
        for (int i = 0; i < 4; i++)
            spawn("desk-" + i, () -> {
                guard.beginLook();
                try {
                    int sum = 0;
                    for (int t : table) sum += t;
                    check(sum == 20 * table[0], "half a timetable");
                    nap(1, 4);
                } finally {
                    guard.endLook();
                }
                nap(1, 5);
            });
        for (int i = 0; i < 2; i++)
            spawn("planner-" + i, () -> {
                guard.beginDraw();
                try {
                    for (int k = 0; k < 10; k++) table[k]++;
                    nap(1, 3);
                    for (int k = 10; k < 20; k++) table[k]++;
                } finally {
                    guard.endDraw();
                }
                nap(8, 20);
            });
        for (int i = 0; i < 2; i++) {
            Train train = new Train();
            int[] km = { 0 };
            spawn("train-" + i, () -> {
                nap(1, 4);
                km[0] = km[0] >= 100 ? 0 : km[0] + ThreadLocalRandom.current().nextInt(5, 15);
                train.at(km[0]);
            });
            for (int b = 0; b < 2; b++) {
                int where = 30 + 45 * b;
                spawn("board-" + i + b, () -> {
                    train.awaitKm(where, 400);
                    nap(1, 5);
                    train.awaitKm(where / 2, 400);
                });
            }
        }
        supervise(args);
    }
}
