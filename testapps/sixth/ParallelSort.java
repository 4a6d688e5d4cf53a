// @lock ParallelSort$Half
// @type JOIN
// @role join java.lang.Thread.join

import java.util.Arrays;
import java.util.Random;

/** The merge sort of every lecture on threads: one half is sorted by a new thread, the other by this one. */
public class ParallelSort {
    static final int CUTOFF = 400;

    static class Half extends Thread {
        private final int[] data;
        private final int lo;
        private final int hi;

        Half(int[] data, int lo, int hi) {
            this.data = data;
            this.lo = lo;
            this.hi = hi;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                sort(data, lo, hi);
                Thread.sleep(1 + (hi - lo) % 3); // "the data come from a disk"
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static void sort(int[] data, int lo, int hi) throws InterruptedException {
        if (hi - lo <= CUTOFF) {
            Arrays.sort(data, lo, hi);
            return;
        }
        int mid = (lo + hi) >>> 1;
        Half left = new Half(data, lo, mid);
        left.start();
        sort(data, mid, hi);
        left.join();
        merge(data, lo, mid, hi);
    }

    static void merge(int[] data, int lo, int mid, int hi) {
        int[] left = Arrays.copyOfRange(data, lo, mid);
        int i = 0;
        int j = mid;
        int k = lo;
        while (i < left.length) {
            if (j < hi && data[j] < left[i]) {
                data[k++] = data[j++];
            } else {
                data[k++] = left[i++];
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Random random = new Random(42);
        System.out.println("READY");
        long rounds = 0;
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end) {
            int[] data = random.ints(3000).toArray();
            int[] expected = data.clone();
            Arrays.sort(expected);
            sort(data, 0, data.length);
            if (!Arrays.equals(data, expected)) {
                System.out.println("not sorted");
                System.exit(1);
            }
            rounds++;
            Thread.sleep(2);
        }
        System.out.println("DONE " + rounds);
    }
}
