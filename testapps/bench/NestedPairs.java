import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many nested pairs of locks a second threads get through: for measuring what a guard costs, and when it loses records.
 *
 * <p>Arguments: seconds, threads (2), objects of each thread (64), microseconds of other work in 64 pairs (0). Each thread takes one
 * of its own objects and then a shared one, always in that order. Prints READY, then once a second the pairs of all threads.
 */
public final class NestedPairs {
    private static final int TURNS = 64;
    private static final Object[] SHARED = objects(4);
    private static Object[][] own;
    private static AtomicLongArray done;
    private static int[] kept;

    private NestedPairs() {
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = Integer.parseInt(args[0]);
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int objects = args.length > 2 ? Integer.parseInt(args[2]) : 64;
        int work = args.length > 3 ? Integer.parseInt(args[3]) : 0;
        own = new Object[threads][];
        kept = new int[threads * 16];
        done = new AtomicLongArray(threads * 16);
        for (int t = 0; t < threads; t++) {
            int number = t;
            own[t] = objects(objects);
            Thread thread = new Thread(() -> run(number, work), "pairs-" + t);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("READY");
        System.out.flush();
        long before = 0;
        for (int s = 0; s < seconds; s++) {
            Thread.sleep(1000);
            long now = 0;
            for (int t = 0; t < threads; t++) {
                now += done.get(t * 16);
            }
            System.out.println(now - before);
            System.out.flush();
            before = now;
        }
    }

    private static void run(int number, int work) {
        for (int turn = 0;; turn++) {
            pairs(number, turn);
            done.addAndGet(number * 16, TURNS);
            long until = System.nanoTime() + work * 1000L;
            while (work > 0 && System.nanoTime() < until) {
                kept[number * 16]++;
            }
        }
    }

    private static void pairs(int number, int turn) {
        Object[] mine = own[number];
        for (int n = 0; n < TURNS; n++) {
            synchronized (mine[(turn + n) % mine.length]) {
                synchronized (SHARED[(number + n) & 3]) {
                    kept[number * 16] += n;
                }
            }
        }
    }

    private static Object[] objects(int n) {
        Object[] objects = new Object[n];
        for (int i = 0; i < n; i++) {
            objects[i] = new Object();
        }
        return objects;
    }
}
