// @finds nothing

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** As {@code PoolInside} and {@code CloseInside}: either nothing is kept locked meanwhile, or the task is known to be over. */
public final class PoolOutside {
    private static int sold;

    private static void sell(Object shop) {
        synchronized (shop) {
            sold++;
        }
    }

    private static ExecutorService executor() throws IllegalAccessException, InvocationTargetException {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException e) {
            return Executors.newFixedThreadPool(2);
        }
    }

    private static void await(ExecutorService clerks) throws InterruptedException {
        clerks.shutdown();
        if (!clerks.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the clerks are still here");
        }
    }

    private static void outside(ExecutorService clerks) throws InterruptedException {
        Object shop = new Object();
        clerks.submit(() -> sell(shop));
        sell(shop);
        await(clerks);
    }

    private static void over(ExecutorService clerks) throws Exception {
        Object shop = new Object();
        clerks.submit(() -> sell(shop)).get();
        synchronized (shop) {
            await(clerks);
        }
    }

    public static void main(String[] args) throws Exception {
        outside(Executors.newFixedThreadPool(2));
        outside(executor());
        over(Executors.newFixedThreadPool(2));
        over(executor());
        System.out.println("DONE " + sold);
    }
}
