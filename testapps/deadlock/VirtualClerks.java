// @finds order T3

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The orders of {@code CrossedLedgers} by two virtual threads (platform threads before JDK 21) that are both started before anybody waits for one. */
public final class VirtualClerks {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static volatile boolean sold;
    private static volatile boolean refilled;
    private static int booked;

    private static void sell() {
        synchronized (sales) {
            synchronized (stock) {
                booked++;
            }
        }
        sold = true;
    }

    /** Keeps them apart in this run, and in no other: nothing that is recorded says so. */
    private static void refill() {
        while (!sold) {
            pause();
        }
        synchronized (stock) {
            synchronized (sales) {
                booked++;
            }
        }
        refilled = true;
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ExecutorService clerks() throws IllegalAccessException, InvocationTargetException {
        try {
            Method virtual = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
            return (ExecutorService) virtual.invoke(null);
        } catch (NoSuchMethodException e) {
            return Executors.newFixedThreadPool(2);
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService clerks = clerks();
        clerks.execute(VirtualClerks::sell);
        clerks.execute(VirtualClerks::refill);
        // Threads of a pool that were never there at once may be one.
        while (!refilled) {
            pause();
        }
        clerks.shutdown();
        while (!clerks.isTerminated()) {
            pause();
        }
        System.out.println("DONE " + booked);
    }
}
