// @lock Posting
// @type JOIN
// @role join EndOfDay.collect
// @lock EndOfDay$Cutoff
// @type LATCH count=4
// @role count-down EndOfDay$Cutoff.desk
// @role await EndOfDay$Cutoff.passed

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Posts one account range; a thread that lives as long as its range. */
class Posting extends Thread {
    private final int from, to;
    private long sum;
    private String error;

    Posting(int from, int to) {
        super("posting-" + from);
        setDaemon(true);
        this.from = from;
        this.to = to;
    }

    @Override public void run() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 12));
            for (int i = from; i < to; i++) sum += i;
        } catch (InterruptedException e) {
            error = "interrupted";
        }
    }

    long sum() { return error != null ? -1 : sum; }
}

class EndOfDay {
    /** Each of the four desks closes its books; then the day may be posted. */
    static class Cutoff {
        private final Map<String, Long> closedAt = new HashMap<>();
        private String lastDesk;
        private final int day;

        Cutoff(int day) { this.day = day; }

        void desk(String name) {
            synchronized (this) {
                if (closedAt.containsKey(name)) return;
                closedAt.put(name, System.currentTimeMillis());
                lastDesk = name;
                if (closedAt.size() == 4) notifyAll();
            }
        }

        boolean passed(long ms) throws InterruptedException {
            synchronized (this) {
                long end = System.currentTimeMillis() + ms;
                while (closedAt.size() < 4) {
                    long left = end - System.currentTimeMillis();
                    if (left < 1) return false;
                    wait(left);
                }
                return lastDesk != null;
            }
        }

        int day() { return day; }
    }

    private final List<String> protocol = new LinkedList<>();

    long collect(Posting p) throws InterruptedException {
        synchronized (p) {
            while (p.isAlive()) p.wait(2000);
        }
        if (protocol.size() > 50) protocol.clear();
        protocol.add(p.getName());
        return p.sum();
    }

    long post(int parts) throws InterruptedException {
        List<Posting> l = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            Posting p = new Posting(i * 100, i * 100 + 100);
            p.start();
            l.add(p);
        }
        long s = 0;
        for (Posting p : l) {
            long x = collect(p);
            if (x < 0) return -1;
            s += x;
        }
        return s;
    }
}

public class NightBatch {
    static volatile String bad;
    static final AtomicLong ops = new AtomicLong();

    interface Body { void run() throws Exception; }

    static void check(boolean ok, String what) { if (!ok && bad == null) bad = what; }

    static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to + 1));
    }

    static void spawn(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                for (;;) { body.run(); ops.incrementAndGet(); }
            } catch (Throwable e) {
                check(false, name + " died: " + e);
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
    static volatile EndOfDay.Cutoff today = new EndOfDay.Cutoff(0);

    public static void main(String[] v) throws Exception {
        EndOfDay eod = new EndOfDay();
        for (String n : new String[] {"cash", "bonds", "stocks", "loans"}) {
            int[] done = {-1};
            spawn(n, () -> {
                EndOfDay.Cutoff c = today;
                if (c.day() != done[0]) {
                    done[0] = c.day();
                    c.desk(n);
                }
                pause(1, 5);
            });
        }
        spawn("night", () -> {
            EndOfDay.Cutoff c = today;
            check(c.passed(20_000), "day never closed");
            check(eod.post(3) == 299 * 300 / 2, "wrong sum");
            today = new EndOfDay.Cutoff(c.day() + 1);
        });
        int[] reported = {-1};
        spawn("supervisor", () -> {
            EndOfDay.Cutoff c = today;
            if (c.day() == reported[0]) {
                pause(1, 3);
                return;
            }
            check(c.passed(20_000), "supervisor waits for ever");
            reported[0] = c.day();
        });
        System.out.println("READY");
        long end = System.nanoTime() + (v.length > 0 ? Integer.parseInt(v[0]) : 600) * 1000000000L;
        while (System.nanoTime() < end && bad == null) Thread.sleep(40);
        check(ops.get() > 0, "no progress");
        if (bad != null) {
            System.out.println("FAILED " + bad);
            System.exit(1);
        }
        System.out.println("DONE " + ops.get());
        System.exit(0);
    }
}
