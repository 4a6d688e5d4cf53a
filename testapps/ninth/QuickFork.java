// @lock QuickFork$Sorter
// @type JOIN
// @role join java.lang.Thread.join

import java.util.Random;

/** A student's parallel sort: the left half on a new thread, the right half here, then join and merge. */
public class QuickFork {
    static class Sorter extends Thread {
        final int[] data;
        final int from;
        final int to;
        final int depth;

        Sorter(int[] data, int from, int to, int depth) {
            this.data = data;
            this.from = from;
            this.to = to;
            this.depth = depth;
        }

        @Override
        public void run() {
            try {
                sort();
            } catch (InterruptedException e) {
                System.err.println("sorter interrupted");
            }
        }

        void sort() throws InterruptedException {
            if (depth == 0) {
                insertion();
                Thread.sleep(1 + (from & 3));
                return;
            }
            int mid = (from + to) >>> 1;
            Sorter left = new Sorter(data, from, mid, depth - 1);
            Sorter right = new Sorter(data, mid, to, depth - 1);
            left.start();
            right.sort();
            left.join();
            merge(mid);
        }

        private void insertion() {
            for (int i = from + 1; i < to; i++) {
                int x = data[i];
                int j = i - 1;
                for (; j >= from && data[j] > x; j--) {
                    data[j + 1] = data[j];
                }
                data[j + 1] = x;
            }
        }

        private void merge(int mid) {
            int[] out = new int[to - from];
            int i = from;
            int j = mid;
            for (int k = 0; k < out.length; k++) {
                out[k] = j >= to || i < mid && data[i] <= data[j] ? data[i++] : data[j++];
            }
            System.arraycopy(out, 0, data, from, out.length);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Random random = new Random(5);
        System.out.println("READY");
        int sorted = 0;
        while (System.currentTimeMillis() < end) {
            int[] data = random.ints(203, 0, 10000).toArray();
            long sum = 0;
            for (int x : data) {
                sum += x;
            }
            Sorter root = new Sorter(data, 0, data.length, 3);
            root.start();
            root.join();
            for (int i = 0; i < data.length; i++) {
                sum -= data[i];
                if (i > 0 && data[i - 1] > data[i]) {
                    throw new IllegalStateException("not sorted");
                }
            }
            if (sum != 0) {
                throw new IllegalStateException("numbers got lost");
            }
            sorted++;
        }
        System.out.println("DONE " + sorted);
    }
}
