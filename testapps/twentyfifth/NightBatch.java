// The nightly batch of an insurer: steps run as threads of their own, the scheduler watches each until it has ended,
// a pacer keeps the steps from starting too quickly, and all of them add to the totals.
// @lock NightBatch$Step
// @type JOIN
// @role join NightBatch$Scheduler.untilEnded
//
// @lock NightBatch$Pacer
// @type DELAY
// @role delay NightBatch$Pacer.rest
//
// @lock NightBatch$Totals
// @type MUTEX
// @role enter NightBatch$Totals.add
// @role enter NightBatch$Totals.print
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

public class NightBatch {
    static final AtomicLong steps = new AtomicLong();

    static class Totals {
        private final TreeMap<String, Long> byKind = new TreeMap<>();
        private long all;

        synchronized void add(String kind, long v) {
            byKind.merge(kind, v, Long::sum);
            doze(1);                                // the totals live in a slow file
            all += v;
        }

        long print() {
            synchronized (this) {
                long s = 0;
                for (long v : byKind.values()) s += v;
                if (s != all) fail("totals do not add up");
                doze(1);
                return s;
            }
        }
    }

    static class Pacer {
        private final int ms;
        private int rests;
        Pacer(int ms) { this.ms = ms; }

        int rest() throws InterruptedException {
            synchronized (this) {
                wait(ms);
                return ++rests;
            }
        }
    }

    static class Step extends Thread {
        final Totals totals;
        final String kind;
        final int rows;
        volatile int seen;

        Step(Totals t, String kind, int rows) {
            super("step-" + kind);
            totals = t;
            this.kind = kind;
            this.rows = rows;
            setDaemon(true);
        }

        @Override public void run() {
            doze(1);
            for (int i = 0; i < rows; i++) { totals.add(kind, i); seen++; }
            doze(2);
            seen = -seen;
        }
    }

    static class Scheduler extends Thread {
        final Totals totals;
        final Pacer pacer = new Pacer(4);
        final String[] kinds;

        Scheduler(Totals t, String... kinds) { super("scheduler-" + kinds[0]); totals = t; this.kinds = kinds; setDaemon(true); }

        private void untilEnded(Step s) throws InterruptedException {
            synchronized (s) {
                while (s.isAlive()) s.wait();
            }
            if (s.seen != -s.rows) fail("step left early");
        }

        @Override public void run() {
            try {
                for (int n = 1; ; n++) {
                    List<Step> running = new ArrayList<>();
                    for (String k : kinds) {
                        Step s = new Step(totals, k, 1 + n % 3);
                        s.start();
                        running.add(s);
                    }
                    for (Step s : running) { untilEnded(s); steps.incrementAndGet(); }
                    totals.print();
                    if (pacer.rest() != n) fail("pacer shared");
                }
            } catch (InterruptedException e) { fail("scheduler interrupted"); }
        }
    }

    static void doze(int ms) {
        try { Thread.sleep(ms); } catch (InterruptedException e) { fail("interrupted"); }
    }

    static void fail(String m) { System.out.println(m); System.exit(1); }

    public static void main(String[] args) throws Exception {
        Totals t = new Totals();
        new Scheduler(t, "premium", "claims").start();
        new Scheduler(t, "tax", "letters", "dunning").start();
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + steps.get());
    }
}
