// @edge StuckPair.fork -> StuckPair.knife
// @edge StuckPair.knife -> StuckPair.fork
// @deadlock StuckPair.fork StuckPair.knife
// @threads anna bruno

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/**
 * Two at a table with one fork and one knife, who get stuck for good: on a line from standard input, or else after half
 * the time. Until then they eat one after the other.
 */
public final class StuckPair {
    private static final Object fork = new Object();
    private static final Object knife = new Object();
    /** Both hold their first piece. */
    private static final CountDownLatch armed = new CountDownLatch(2);
    private static volatile boolean hungry;
    private static volatile long meals;

    private static void anna() throws InterruptedException {
        synchronized (fork) {
            meet();
            synchronized (knife) {
                meals++;
            }
        }
    }

    private static void bruno() throws InterruptedException {
        synchronized (knife) {
            meet();
            synchronized (fork) {
                meals++;
            }
        }
    }

    private static void meet() throws InterruptedException {
        armed.countDown();
        armed.await();
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                while (!hungry) {
                    Thread.sleep(1);
                }
                work.run();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void bell() {
        Thread thread = new Thread(() -> {
            try {
                if (System.in.read() >= 0) {
                    hungry = true;
                }
            } catch (IOException closed) {
                // then by the clock
            }
        }, "bell");
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        start("anna", StuckPair::anna);
        start("bruno", StuckPair::bruno);
        bell();
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 500);
        hungry = true;
        Thread.sleep(seconds * 500);
        if (meals != 0) {
            throw new IllegalStateException("they have eaten");
        }
        System.out.println("DONE " + armed.getCount());
    }
}
