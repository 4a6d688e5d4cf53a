// @finds latch T3

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** As {@code PoolInside}, with an executor that has a virtual thread for each task and is closed (before JDK 21 a pool). */
public final class CloseInside {
    private static final Object shop = new Object();
    private static volatile boolean through;
    private static int sold;

    private static void sell() {
        synchronized (shop) {
            sold++;
        }
        through = true;
    }

    private static ExecutorService executor() throws IllegalAccessException, InvocationTargetException {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException e) {
            return Executors.newFixedThreadPool(2);
        }
    }

    private static void close(ExecutorService clerks) throws Exception {
        try {
            ExecutorService.class.getMethod("close").invoke(clerks);
        } catch (NoSuchMethodException e) {
            clerks.shutdown();
            if (!clerks.awaitTermination(1, TimeUnit.DAYS)) {
                throw new IllegalStateException("the clerks are still here", e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService clerks = executor();
        clerks.submit(CloseInside::sell);
        while (!through) {
            Thread.sleep(1);
        }
        synchronized (shop) {
            close(clerks);
        }
        System.out.println("DONE " + sold);
    }
}
