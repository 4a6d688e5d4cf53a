// Exercise: sort with a thread for each quarter. The quarters start together at a gate and are joined before the merge.
// @lock ForkJoinSort$Sorter
// @type JOIN
// @role join java.lang.Thread.join
// @lock ForkJoinSort$Gate
// @type LATCH count=1
// @role await ForkJoinSort$Gate.pass
// @role count-down ForkJoinSort$Gate.open

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class ForkJoinSort {
    static volatile String bad;
    static final AtomicLong OPS = new AtomicLong();

    interface Step {
        void once() throws InterruptedException;
    }

    /** Starts a thread that repeats one step until the program ends. */
    static void go(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (true) {
                    step.once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                bad = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void nap(int upTo) throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextInt(upTo));
    }

    static int dice(int n) {
        return ThreadLocalRandom.current().nextInt(n);
    }

    static void check(boolean ok, String what) {
        if (!ok) {
            bad = "BROKEN " + what;
        }
    }

    static void finish(String[] args) throws InterruptedException {
        long end = System.nanoTime() + 1_000_000_000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        System.out.println("READY");
        while (bad == null && System.nanoTime() < end) {
            Thread.sleep(25);
        }
        if (bad != null) {
            System.out.println(bad);
            System.exit(1);
        }
        System.out.println("DONE " + OPS.get());
        System.exit(0);
    }

    /** New for every sort; closed at first, then open for good. */
    static final class Gate {
        private boolean opened;

        void pass() throws InterruptedException {
            synchronized (this) {
                while (!opened) {
                    wait();
                }
            }
        }

        void open() {
            synchronized (this) {
                opened = true;
                notifyAll();
            }
        }
    }

    static final class Sorter extends Thread {
        private final int[] data;
        private final int from;
        private final int to;
        private final Gate gate;

        Sorter(int[] data, int from, int to, Gate gate) {
            this.data = data;
            this.from = from;
            this.to = to;
            this.gate = gate;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                gate.pass();
                Arrays.sort(data, from, to);
                nap(8);
            } catch (InterruptedException e) {
                bad = "interrupted";
            }
        }
    }

    static int[] merge(int[] a, int parts) {
        int step = a.length / parts;
        int[] at = new int[parts];
        int[] result = new int[a.length];
        for (int i = 0; i < parts; i++) {
            at[i] = i * step;
        }
        for (int k = 0; k < a.length; k++) {
            int best = -1;
            for (int i = 0; i < parts; i++) {
                if (at[i] < (i + 1) * step && (best < 0 || a[at[i]] < a[at[best]])) {
                    best = i;
                }
            }
            result[k] = a[at[best]++];
        }
        return result;
    }

    static void sortOnce() throws InterruptedException {
        int[] data = ThreadLocalRandom.current().ints(400, 0, 10_000).toArray();
        Gate gate = new Gate();
        Sorter[] sorters = new Sorter[4];
        for (int i = 0; i < 4; i++) {
            sorters[i] = new Sorter(data, i * 100, i * 100 + 100, gate);
            sorters[i].start();
        }
        nap(6);
        gate.open();
        for (Sorter s : sorters) {
            s.join();
        }
        int[] sorted = merge(data, 4);
        for (int i = 1; i < sorted.length; i++) {
            check(sorted[i - 1] <= sorted[i], "order");
        }
        OPS.incrementAndGet();
        nap(12);
    }

    public static void main(String[] args) throws InterruptedException {
        go("master-0", ForkJoinSort::sortOnce);
        go("master-1", ForkJoinSort::sortOnce);
        finish(args);
    }
}
