import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Many virtual threads at few locks, for measuring what watching costs them.
 *
 * <p>Arguments: seconds, threads (5000), locks (32). Each thread computes, takes one of the locks, computes, and lets go
 * of its carrier, in one of eight times while it holds the lock: the next one to want it then parks. Needs JDK 21; compiles
 * with any.
 *
 * <p>Prints READY, then the pieces of work done in each second.
 */
public final class Virtual {
    private static final int OUTSIDE = 4_000;
    private static final int INSIDE = 1_000;

    private Virtual() {
    }

    public static void main(String[] args) throws Exception {
        int seconds = Integer.parseInt(args[0]);
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 5000;
        ReentrantLock[] locks = new ReentrantLock[args.length > 2 ? Integer.parseInt(args[2]) : 32];
        for (int n = 0; n < locks.length; n++) {
            locks[n] = new ReentrantLock();
        }
        // One cell in eight: carriers do not share a cache line.
        AtomicLongArray done = new AtomicLongArray(threads * 8);
        java.lang.reflect.Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        for (int n = 0; n < threads; n++) {
            int number = n;
            start.invoke(null, (Runnable) () -> work(number, locks, done));
        }
        System.out.println("READY");
        long began = System.nanoTime();
        long before = 0;
        for (int second = 1; second <= seconds; second++) {
            Thread.sleep(Math.max(0, (began + second * 1_000_000_000L - System.nanoTime()) / 1_000_000));
            long now = 0;
            for (int n = 0; n < threads; n++) {
                now += done.get(n * 8);
            }
            System.out.println(now - before);
            before = now;
        }
        System.exit(0);
    }

    private static void work(int number, ReentrantLock[] locks, AtomicLongArray done) {
        double value = number;
        for (int turn = number; ; turn++) {
            value = compute(value, OUTSIDE);
            ReentrantLock lock = locks[Math.floorMod(turn * 31, locks.length)];
            lock.lock();
            try {
                value = compute(value, INSIDE);
                if (turn % 8 == 0) {
                    Thread.yield();
                }
            } finally {
                lock.unlock();
            }
            done.lazySet(number * 8, done.get(number * 8) + (value == 0.5 ? 0 : 1));
            Thread.yield();
        }
    }

    private static double compute(double value, int rounds) {
        for (int round = 0; round < rounds; round++) {
            value = value * 0.999 + round;
        }
        return value;
    }
}
