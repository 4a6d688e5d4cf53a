// @finds order T3

import java.lang.reflect.Method;

/**
 * The orders of {@code CrossedLedgers} by main and a virtual thread (a platform thread before JDK 21) that main has started before.
 * All that carry virtual threads are busy for a while, so that it begins when main is long through: nothing else keeps them apart.
 */
public final class BusyClerks {
    private static final long BUSY = 800_000_000;
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static int booked;
    private static volatile boolean sold;

    private static void sell() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        sold = true;
    }

    /** Where main is held up for longer than that, it is let go first: they would stay there for good. */
    private static void refill() {
        while (!sold) {
            Thread.yield();
        }
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
    }

    private static Thread start(Runnable work) throws ReflectiveOperationException {
        try {
            Method maker = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return (Thread) maker.invoke(null, work);
        } catch (NoSuchMethodException e) {
            Thread thread = new Thread(work);
            thread.start();
            return thread;
        }
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + BUSY;
        Thread[] busy = new Thread[Runtime.getRuntime().availableProcessors()];
        for (int i = 0; i < busy.length; i++) {
            busy[i] = start(() -> {
                while (System.nanoTime() < end) {
                    // Keeps what carries it.
                }
            });
        }
        Thread clerk = start(BusyClerks::refill);
        sell();
        clerk.join();
        System.out.println("DONE " + booked);
    }
}
