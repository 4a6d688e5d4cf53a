// @lock OpticsBench$BenchKey
// @type LOCK reentrant=true
// @role lock OpticsBench$BenchKey.take
// @role lock OpticsBench$BenchKey.takeWithin
// @role unlock OpticsBench$BenchKey.giveBack
//
// @lock java.util.ArrayDeque
// @type MUTEX
// @role enter OpticsBench$Journal.note
// @role enter OpticsBench$Journal.lastPage

import java.util.*;

/** One optical bench shared by several experiments; an alignment calls further steps that want the bench themselves. */
public class OpticsBench {
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

    /** Knows who has the bench and how often; experimenters may give up after a while. */
    static class BenchKey {
        private Thread holder;
        private int times;

        private boolean mine() {
            return holder == Thread.currentThread();
        }

        synchronized void take() throws InterruptedException {
            if (!mine()) {
                while (holder != null)
                    wait();
                holder = Thread.currentThread();
            }
            times++;
        }

        synchronized boolean takeWithin(long millis) throws InterruptedException {
            if (mine()) {
                times++;
                return true;
            }
            long until = System.nanoTime() + millis * 1000000L;
            while (holder != null) {
                long left = (until - System.nanoTime()) / 1000000L;
                if (left <= 0)
                    return false;
                wait(left);
            }
            holder = Thread.currentThread();
            times = 1;
            return true;
        }

        synchronized void giveBack() {
            if (!mine())
                throw new IllegalMonitorStateException("not the holder");
            if (--times == 0) {
                holder = null;
                notifyAll();
            }
        }
    }

    static class Journal {
        private final ArrayDeque<String> lines = new ArrayDeque<>();
        private long written;

        void note(String line) {
            synchronized (lines) {
                lines.addLast(line);
                if (lines.size() > 50)
                    lines.removeFirst();
                written++;
                nap(1);                                    // the paper tape is slow
            }
        }

        String lastPage() {
            synchronized (lines) {
                StringBuilder sb = new StringBuilder();
                for (String s : lines)
                    sb.append(s).append('\n');
                nap(2);
                check(written >= lines.size(), "journal lost lines");
                return sb.toString();
            }
        }
    }

    static class Bench {
        final BenchKey key = new BenchKey();
        int mirror, lens, inside;

        void align(int steps) throws InterruptedException {
            key.take();
            try {
                check(++inside == 1 || key.mine(), "two at the bench");
                for (int i = 0; i < steps; i++)
                    nudge(i);
                check(mirror == lens, "misaligned");
                inside--;
            } finally {
                key.giveBack();
            }
        }

        private void nudge(int by) throws InterruptedException {
            key.take();
            try {
                mirror += by;
                nap(1);
                lens += by;
            } finally {
                key.giveBack();
            }
        }

        boolean measure() throws InterruptedException {
            if (!key.takeWithin(8))
                return false;
            try {
                int m = mirror;
                nap(2);
                check(m == lens && m == mirror, "bench moved during a measurement");
                return true;
            } finally {
                key.giveBack();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final Bench bench = new Bench();
        final Journal journal = new Journal();
        for (int i = 0; i < 3; i++)
            loop("aligner-" + i, () -> {
                bench.align(rnd(2, 4));
                journal.note("aligned by " + Thread.currentThread().getName());
                nap(rnd(2, 9));
            });
        for (int i = 0; i < 2; i++)
            loop("meter-" + i, () -> {
                journal.note(bench.measure() ? "measured" : "gave up");
                nap(rnd(2, 6));
            });
        loop("copyist", () -> {
            check(journal.lastPage() != null, "no page");
            nap(rnd(2, 5));
        });
        supervise(args);
    }
}
