// @finds nothing

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The orders of {@code CrossedLedgers} by virtual threads (platform threads before JDK 21), each of which is made when the one
 * before is through: by start and join, and by an executor that has a thread for each task. What calls for JDK 21 goes by reflection.
 */
public final class VirtualLedgers {
    private static final Method maker = find(Thread.class, "startVirtualThread", Runnable.class);
    private static final Method executors = find(Executors.class, "newVirtualThreadPerTaskExecutor");
    private static final Method close = find(ExecutorService.class, "close");
    private static final Method joinFor = find(Thread.class, "join", Duration.class);
    private static int booked;

    /** Two ledgers of which one thread takes the first and then the second, and another one the second and then the first. */
    private static final class Pair {
        private final Object sales = new Object();
        private final Object stock = new Object();

        void sell() {
            synchronized (sales) {
                synchronized (stock) {
                    booked++;
                }
            }
        }

        void refill() {
            synchronized (stock) {
                synchronized (sales) {
                    booked++;
                }
            }
        }
    }

    private static Method find(Class<?> of, String name, Class<?>... takes) {
        try {
            return of.getMethod(name, takes);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static Object call(Method method, Object on, Object... with) {
        try {
            return method.invoke(on, with);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Thread start(Runnable books) {
        if (maker != null) {
            return (Thread) call(maker, null, books);
        }
        Thread clerk = new Thread(books);
        clerk.start();
        return clerk;
    }

    private static ExecutorService executor() {
        return executors == null ? Executors.newCachedThreadPool() : (ExecutorService) call(executors, null);
    }

    private static void end(ExecutorService clerks) throws InterruptedException {
        if (close != null) {
            call(close, clerks);
            return;
        }
        clerks.shutdown();
        await(clerks);
    }

    private static void await(ExecutorService clerks) throws InterruptedException {
        if (!clerks.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the clerks are still here");
        }
    }

    private static void joined(Pair pair) throws InterruptedException {
        start(pair::sell).join();
        start(pair::refill).join();
    }

    private static void joinedForAWhile(Pair pair) throws InterruptedException {
        Thread seller = start(pair::sell);
        if (joinFor == null) {
            seller.join(60_000);
        } else {
            call(joinFor, seller, Duration.ofSeconds(60));
        }
        pair.refill();
    }

    private static void nested(Pair pair) throws InterruptedException {
        start(() -> {
            pair.sell();
            start(pair::refill);
        }).join();
    }

    private static void submitted(Pair pair, ExecutorService clerks) throws Exception {
        clerks.submit(pair::sell).get();
        clerks.submit(pair::refill).get();
    }

    private static void invoked(Pair pair, ExecutorService clerks) throws Exception {
        for (Runnable books : new Runnable[] {pair::sell, pair::refill}) {
            List<Callable<Object>> all = new ArrayList<>();
            all.add(Executors.callable(books));
            all.add(Executors.callable(() -> { }));
            clerks.invokeAll(all);
        }
    }

    private static void ran(Pair pair, ExecutorService clerks) {
        CompletableFuture.runAsync(pair::sell, clerks).join();
        CompletableFuture.runAsync(pair::refill, clerks).join();
    }

    /** Nobody has a future of these: all that is known of them is that the executor has come to its end. */
    private static void ended(Pair pair, Pair other, Pair third) throws Exception {
        ExecutorService clerks = executor();
        clerks.execute(pair::sell);
        clerks.execute(other::sell);
        end(clerks);
        pair.refill();
        ExecutorService others = executor();
        others.execute(third::sell);
        others.shutdown();
        await(others);
        other.refill();
        third.refill();
    }

    private static void seenToEnd(Pair pair) throws InterruptedException {
        ExecutorService clerks = executor();
        clerks.execute(pair::sell);
        clerks.shutdown();
        while (!clerks.isTerminated()) {
            Thread.sleep(1);
        }
        pair.refill();
    }

    public static void main(String[] args) throws Exception {
        joined(new Pair());
        joinedForAWhile(new Pair());
        nested(new Pair());
        ExecutorService clerks = executor();
        submitted(new Pair(), clerks);
        invoked(new Pair(), clerks);
        ran(new Pair(), clerks);
        end(clerks);
        ended(new Pair(), new Pair(), new Pair());
        seenToEnd(new Pair());
        System.out.println("DONE " + booked);
    }
}
