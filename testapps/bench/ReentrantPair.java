import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An uncontended lock/unlock pair of a ReentrantLock, nanoseconds: the median and the quartiles of blocks of so many pairs, with
 * a pause after each, every second.
 *
 * <pre>java ReentrantPair [pairs in a block] [milliseconds of pause] [seconds]</pre>
 */
public final class ReentrantPair {
    private static final ReentrantLock[] locks = { new ReentrantLock(), new ReentrantLock() };
    private static long count;

    private static void block(int pairs) {
        for (int at = 0; at < pairs; at++) {
            ReentrantLock lock = locks[at & 1];
            lock.lock();
            try {
                count++;
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int pairs = args.length > 0 ? Integer.parseInt(args[0]) : 256;
        long pause = args.length > 1 ? Long.parseLong(args[1]) : 2;
        int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 600;
        double[] blocks = new double[1 << 20];
        System.out.println("READY");
        System.out.flush();
        for (int second = 1; second <= seconds; second++) {
            int n = 0;
            long end = System.nanoTime() + 1_000_000_000L;
            while (System.nanoTime() < end && n < blocks.length) {
                long from = System.nanoTime();
                block(pairs);
                blocks[n++] = (System.nanoTime() - from) / (double) pairs;
                if (pause > 0) {
                    Thread.sleep(pause);
                }
            }
            Arrays.sort(blocks, 0, n);
            System.out.printf("%d s: %.1f ns a pair (%.1f-%.1f), %d blocks%n",
                    second, blocks[n / 2], blocks[n / 4], blocks[3 * n / 4], n);
        }
        System.out.println("DONE " + count);
    }
}
