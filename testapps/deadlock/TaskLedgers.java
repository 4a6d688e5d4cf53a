// @finds nothing

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.TimeUnit;

/** The orders of {@code CrossedLedgers} as tasks of pools and of a timer: each begins when the one before it is done, by a future, several of them, by a fork, by the end of a pool. */
public final class TaskLedgers {
    private static final Object sales = new Object();
    private static final Object stock = new Object();
    private static final Object cash = new Object();
    private static int booked;

    private static void book(Object outer, Object inner) {
        synchronized (outer) {
            synchronized (inner) {
                booked++;
            }
        }
    }

    private static final class Booking extends RecursiveAction {
        private final Runnable books;

        Booking(Runnable books) {
            this.books = books;
        }

        @Override
        protected void compute() {
            books.run();
        }
    }

    /** Both clerks are there when the first order is handed to one of them, so that the start of neither comes after it. */
    private static void fork() {
        Object gifts = new Object();
        Object returns = new Object();
        ForkJoinPool pool = new ForkJoinPool(2);
        CountDownLatch both = new CountDownLatch(2);
        Runnable meets = () -> {
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        pool.invoke(new Booking(() -> ForkJoinTask.invokeAll(new Booking(meets), new Booking(meets))));
        book(gifts, returns);
        pool.invoke(new Booking(() -> {
            ForkJoinTask.invokeAll(new Booking(() -> book(returns, gifts)), new Booking(() -> { }));
            book(gifts, returns);
        }));
        book(gifts, returns);
        pool.shutdown();
    }

    private static void time() throws InterruptedException {
        Object orders = new Object();
        Object bills = new Object();
        Timer timer = new Timer(true);
        CountDownLatch[] rung = {new CountDownLatch(1), new CountDownLatch(1)};
        for (CountDownLatch ring : rung) {
            timer.schedule(new TimerTask() {
                @Override
                public void run() {
                    if (ring == rung[1]) {
                        book(bills, orders);
                    }
                    ring.countDown();
                }
            }, 1);
            ring.await();
            book(orders, bills);
        }
        timer.cancel();
    }

    public static void main(String[] args) throws Exception {
        ExecutorService clerks = Executors.newFixedThreadPool(2);
        clerks.submit(() -> book(sales, stock)).get();
        clerks.submit(() -> book(stock, sales)).get();
        CompletableFuture.runAsync(() -> book(stock, cash), clerks).join();
        Object seals = new Object();
        CompletableFuture<Void> sealed = CompletableFuture.runAsync(() -> book(cash, seals), clerks);
        CompletableFuture<Void> rested = CompletableFuture.runAsync(() -> { }, clerks);
        CompletableFuture.allOf(sealed, rested).join();
        book(seals, cash);
        fork();
        time();
        clerks.shutdown();
        if (!clerks.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the clerks are still here");
        }
        book(cash, stock);
        System.out.println("DONE " + booked);
    }
}
