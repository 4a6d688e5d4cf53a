// @lock SplitSort$Half
// @type JOIN
// @role join SplitSort.awaitEnd

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** Merge sort that gives one half away to a new thread at each level, and waits for that thread by its object. */
public final class SplitSort {
    static final class Half extends Thread {
        private final int[] data;
        private final int from;
        private final int to;
        private final int levels;

        Half(int[] data, int from, int to, int levels) {
            this.data = data;
            this.from = from;
            this.to = to;
            this.levels = levels;
        }

        @Override
        public void run() {
            try {
                sort(data, from, to, levels);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static void awaitEnd(Thread t) throws InterruptedException {
        synchronized (t) {
            while (t.isAlive()) {
                t.wait();
            }
        }
    }

    static void sort(int[] data, int from, int to, int levels) throws InterruptedException {
        if (levels == 0) {
            Arrays.sort(data, from, to);
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            return;
        }
        int mid = (from + to) >>> 1;
        Half left = new Half(data, from, mid, levels - 1);
        left.start();
        sort(data, mid, to, levels - 1);
        awaitEnd(left);
        merge(data, from, mid, to);
    }

    private static void merge(int[] data, int from, int mid, int to) {
        int[] left = Arrays.copyOfRange(data, from, mid);
        int r = mid;
        int out = from;
        for (int value : left) {
            while (r < to && data[r] < value) {
                data[out++] = data[r++];
            }
            data[out++] = value;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        System.out.println("READY");
        System.out.flush();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long sorted = 0;
        while (System.nanoTime() < end) {
            int[] data = ThreadLocalRandom.current().ints(2_000).toArray();
            sort(data, 0, data.length, 2);
            for (int i = 1; i < data.length; i++) {
                if (data[i - 1] > data[i]) {
                    throw new IllegalStateException("not in order at " + i);
                }
            }
            sorted++;
            Thread.sleep(1);
        }
        System.out.println("DONE " + sorted);
    }
}
