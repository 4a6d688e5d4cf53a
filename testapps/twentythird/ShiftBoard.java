// @lock ShiftBoard
// @type CONDITION
// @role wait ShiftBoard.newerThan
// @role notify ShiftBoard.post
//
// @lock ShiftBoard$Shift
// @type JOIN
// @role join java.lang.Thread.join

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A notice board with an edition number: readers wait for a later edition; the foreman waits for the end of each shift's thread. */
public class ShiftBoard {
    static volatile String broken;
    static final AtomicLong ops = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void check(boolean ok, String what) {
        if (!ok && broken == null) {
            broken = what;
        }
    }

    static void nap(int lo, int hi) throws InterruptedException {
        Thread.sleep(lo + ThreadLocalRandom.current().nextInt(hi - lo + 1));
    }

    static void loop(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (broken == null) {
                    step.run();
                    ops.incrementAndGet();
                }
            } catch (InterruptedException | RuntimeException e) {
                check(false, name + ": " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 600) * 1_000_000_000L;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(40);
        }
        check(ops.get() > 0, "nothing was done");
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
    private long edition;
    private Map<String, Integer> plan = Collections.emptyMap();

    synchronized void post(Map<String, Integer> next) {
        plan = next;
        edition++;
        notifyAll();
    }

    synchronized long newerThan(long seen, long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        while (edition == seen) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return -1;
            }
            wait(left);
        }
        int sum = 0;
        for (int n : plan.values()) {
            sum += n;
        }
        check(sum == 12, "the plan is incomplete");
        return edition;
    }

    static class Shift extends Thread {
        private final int hours;
        private int worked;

        Shift(int hours) {
            this.hours = hours;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (worked < hours) {
                    nap(1, 3);
                    worked++;
                }
            } catch (InterruptedException e) {
                check(false, "shift interrupted");
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ShiftBoard board = new ShiftBoard();
        loop("planner", () -> {
            Map<String, Integer> next = new TreeMap<>();
            int early = ThreadLocalRandom.current().nextInt(13);
            next.put("early", early);
            next.put("late", 12 - early);
            board.post(next);
            nap(4, 12);
        });
        for (int i = 0; i < 3; i++) {
            long[] seen = new long[1];
            loop("reader-" + i, () -> {
                long now = board.newerThan(seen[0], 2000);
                check(now == -1 || now > seen[0], "an old edition");
                seen[0] = Math.max(now, seen[0]);
                nap(1, 3);
            });
        }
        loop("foreman", () -> {
            Shift shift = new Shift(ThreadLocalRandom.current().nextInt(1, 5));
            shift.start();
            nap(0, 1);
            while (shift.isAlive()) {
                shift.join(50);
            }
            check(shift.worked == shift.hours, "shift ended early");
            nap(1, 4);
        });
        finish(args);
    }
}
