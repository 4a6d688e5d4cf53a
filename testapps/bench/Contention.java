import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A workload for measuring what watching costs: threads that work outside and inside one lock.
 *
 * <p>Arguments: seconds, threads, work outside the lock and inside it (rounds of a small computation; 1,000 rounds
 * take about a microsecond), and how many locks to share. Prints READY, then the operations of each second.
 */
public final class Contention {
    private Contention() {
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 8;
        int outside = args.length > 2 ? Integer.parseInt(args[2]) : 1000;
        int inside = args.length > 3 ? Integer.parseInt(args[3]) : 1000;
        int locks = args.length > 4 ? Integer.parseInt(args[4]) : 1;
        Object[] shared = new Object[locks];
        for (int i = 0; i < locks; i++) {
            shared[i] = new Object();
        }
        // One cell in eight, so that the counters do not share a cache line.
        AtomicLongArray done = new AtomicLongArray(threads * 8);
        for (int t = 0; t < threads; t++) {
            int me = t;
            Thread worker = new Thread(() -> work(me, shared, outside, inside, done), "worker-" + t);
            worker.setDaemon(true);
            worker.start();
        }
        System.out.println("READY");
        System.out.flush();
        report(seconds, done);
    }

    private static void report(int seconds, AtomicLongArray done) throws InterruptedException {
        long before = sum(done);
        long start = System.nanoTime();
        for (int s = 1; s <= seconds; s++) {
            long until = start + s * 1_000_000_000L;
            for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
                Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
            }
            long now = sum(done);
            System.out.println(now - before);
            System.out.flush();
            before = now;
        }
        System.out.println("DONE " + before);
    }

    private static long sum(AtomicLongArray done) {
        long sum = 0;
        for (int i = 0; i < done.length(); i += 8) {
            sum += done.get(i);
        }
        return sum;
    }

    private static void work(int me, Object[] shared, int outside, int inside, AtomicLongArray done) {
        long state = me + 1;
        for (long n = 0;; n++) {
            state = compute(state, outside);
            synchronized (shared[(int) ((state >>> 33) % shared.length)]) {
                state = compute(state, inside);
            }
            done.lazySet(me * 8, n + 1);
        }
    }

    private static long compute(long state, int rounds) {
        long value = state;
        for (int i = 0; i < rounds; i++) {
            value = value * 6364136223846793005L + 1442695040888963407L;
        }
        return value;
    }
}
