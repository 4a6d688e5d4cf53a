import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Overflows its stack again and again, with a lock held at each level, and says after what share of the overflows one stayed locked,
 * percent: of the first twenty, and of those that follow. Three times: one lock, the same by its interface, and a lock of its own at each
 * level.
 *
 * <pre>java Overflow [overflows]</pre>
 */
public final class Overflow {
    private static final int FIRST = 20;
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Lock FACE = LOCK;
    private static final Node[] RING = new Node[64];
    private static int deepest;

    private static final class Node {
        private final ReentrantLock lock = new ReentrantLock();
        private Node next;

        int sum(int depth) {
            lock.lock();
            try {
                return 1 + next.sum(depth + 1);
            } finally {
                lock.unlock();
            }
        }
    }

    private static void byClass(int depth) {
        LOCK.lock();
        try {
            deepest = depth;
            byClass(depth + 1);
        } finally {
            LOCK.unlock();
        }
    }

    private static void byInterface(int depth) {
        FACE.lock();
        try {
            deepest = depth;
            byInterface(depth + 1);
        } finally {
            FACE.unlock();
        }
    }

    /** The stack's end is met at different places. */
    private static void from(int frames, int how) {
        if (frames > 0) {
            from(frames - 1, how);
        } else if (how == 0) {
            byClass(0);
        } else if (how == 1) {
            byInterface(0);
        } else {
            RING[0].sum(0);
        }
    }

    private static boolean release(ReentrantLock lock) {
        boolean held = lock.isHeldByCurrentThread();
        while (lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
        return held;
    }

    private static String run(int how, int overflows) {
        int first = 0;
        int later = 0;
        int seed = (int) System.nanoTime();
        for (int i = 0; i < FIRST + overflows; i++) {
            seed = seed * 1103515245 + 12345;
            try {
                from((seed >>> 16) % 41, how);
            } catch (StackOverflowError expected) {
                // That is what it is for.
            }
            boolean kept = release(LOCK);
            for (Node node : RING) {
                kept |= release(node.lock);
            }
            if (kept && i < FIRST) {
                first++;
            } else if (kept) {
                later++;
            }
        }
        return String.format("%5.1f %5.1f | ", 100.0 * first / FIRST, 100.0 * later / overflows);
    }

    public static void main(String[] args) throws InterruptedException {
        int overflows = args.length > 0 ? Integer.parseInt(args[0]) : 60;
        for (int at = 0; at < RING.length; at++) {
            RING[at] = new Node();
        }
        for (int at = 0; at < RING.length; at++) {
            RING[at].next = RING[(at + 1) % RING.length];
        }
        Thread thread = new Thread(null, () -> System.out.println(run(0, overflows) + run(1, overflows) + run(2, overflows)),
                "overflow", 512 * 1024);
        thread.start();
        thread.join();
    }
}
