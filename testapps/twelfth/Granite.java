// @lock Granite$Survey
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock Granite$Survey.beginLook
// @role read-unlock Granite$Survey.endLook
// @role write-lock Granite$Survey.beginChange
// @role write-lock Granite$Survey.beginChangeWithin
// @role write-unlock Granite$Survey.endChange
//
// @lock java.lang.Object#stamp
// @type MUTEX
// @role enter Granite$Archive.stamp
// @role enter Granite$Archive.sheet

import java.util.*;

/** A quarry's survey: geologists look at it together, surveyors change it alone and go first; sheets go to an archive. */
public class Granite {
    interface Job {
        void run() throws Exception;
    }

    static final java.util.concurrent.atomic.AtomicLong ops = new java.util.concurrent.atomic.AtomicLong();
    static volatile String broken;

    static void check(boolean ok, String what) {
        if (!ok)
            throw new IllegalStateException(what);
    }

    static int rnd(int from, int to) {
        return java.util.concurrent.ThreadLocalRandom.current().nextInt(from, to + 1);
    }

    static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void loop(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    job.run();
                    ops.incrementAndGet();
                }
            } catch (Exception e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void supervise(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> broken = t.getName() + ": " + e);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(50);
            still = ops.get() == seen ? still + 1 : 0;
            seen = ops.get();
            if (still > 100)
                broken = "nothing happens any more";
        }
        if (broken != null) {
            System.out.println("FAILED " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }

    static class Survey {
        private int lookers;
        private boolean changing;
        private int wanting;
        private final int[] heights = new int[12];

        synchronized void beginLook() throws InterruptedException {
            while (changing || wanting > 0)
                wait();
            lookers++;
        }

        synchronized void endLook() {
            lookers--;
            if (lookers == 0)
                notifyAll();
        }

        synchronized void beginChange() throws InterruptedException {
            wanting++;
            try {
                while (changing || lookers > 0)
                    wait();
                changing = true;
            } finally {
                wanting--;
                if (!changing)
                    notifyAll();
            }
        }

        synchronized boolean beginChangeWithin(long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            wanting++;
            try {
                while (changing || lookers > 0) {
                    long rest = end - System.currentTimeMillis();
                    if (rest <= 0) {
                        notifyAll();                       // lookers held back by us alone
                        return false;
                    }
                    wait(rest);
                }
                changing = true;
                return true;
            } finally {
                wanting--;
            }
        }

        synchronized void endChange() {
            changing = false;
            notifyAll();
        }

        void blast(int at) {
            heights[at]--;
            nap(rnd(1, 2));
            heights[(at + 5) % heights.length]++;
        }

        int sum() {
            int s = 0;
            for (int h : heights)
                s += h;
            return s;
        }
    }

    static class Archive {
        private final Object desk = new Object();
        private final List<Integer> sheets = new ArrayList<>();
        private int number;

        void stamp(int sum) {
            synchronized (desk) {
                number++;
                if (sheets.size() > 100)
                    sheets.clear();
                nap(2);
                sheets.add(number);
            }
        }

        int sheet() {
            synchronized (desk) {
                int n = sheets.isEmpty() ? 0 : sheets.get(sheets.size() - 1);
                nap(2);
                check(n == number || sheets.isEmpty(), "archive out of order");
                return n;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final Survey survey = new Survey();
        final Archive archive = new Archive();
        for (int i = 0; i < 4; i++)
            loop("geologist-" + i, () -> {
                survey.beginLook();
                try {
                    int a = survey.sum();
                    nap(rnd(1, 4));
                    check(a == 0 && survey.sum() == 0, "survey changed while looked at");
                } finally {
                    survey.endLook();
                }
                if (rnd(0, 1) == 0)
                    archive.stamp(0);
                nap(rnd(1, 5));
            });
        for (int i = 0; i < 2; i++) {
            final boolean hasty = i == 1;
            loop("surveyor-" + i, () -> {
                if (hasty) {
                    if (!survey.beginChangeWithin(3))
                        return;
                } else
                    survey.beginChange();
                try {
                    survey.blast(rnd(0, 11));
                } finally {
                    survey.endChange();
                }
                archive.sheet();
                nap(rnd(3, 9));
            });
        }
        supervise(args);
    }
}
