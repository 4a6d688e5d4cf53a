// @lock LazyQuotes$Promise
// @type LATCH count=1 form=future
// @role count-down LazyQuotes$Promise.set
// @role await LazyQuotes$Promise.get

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A quote service: whoever asks first starts the computation, everybody who asks meanwhile shares the same promise. */
public final class LazyQuotes {
    abstract static class Settable<V> {
        abstract void set(V value);

        abstract V get() throws InterruptedException;
    }

    static final class Promise extends Settable<Integer> {
        private Integer value;

        @Override
        synchronized void set(Integer v) {
            if (value != null) {
                throw new IllegalStateException("already kept");
            }
            value = v;
            notifyAll();
        }

        @Override
        synchronized Integer get() throws InterruptedException {
            while (value == null) {
                wait();
            }
            return value;
        }
    }

    private static final Map<Integer, Promise> quotes = new ConcurrentHashMap<>();
    private static final ConcurrentLinkedQueue<Integer> wanted = new ConcurrentLinkedQueue<>();
    private static final AtomicLong served = new AtomicLong();
    private static volatile boolean failed;

    private static void client() throws InterruptedException {
        // All clients follow the same news, so that they ask for the same symbols at about the same time.
        int symbol = (int) (System.nanoTime() / 6_000_000L);
        Promise mine = new Promise();
        Promise theirs = quotes.putIfAbsent(symbol, mine);
        if (theirs == null) {
            theirs = mine;
            wanted.add(symbol);
        }
        if (theirs.get() != symbol * 3) {
            throw new IllegalStateException("quote of another symbol");
        }
        served.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(3));
    }

    private static void market() throws InterruptedException {
        Integer symbol = wanted.poll();
        if (symbol == null) {
            Thread.sleep(1);
            return;
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 5));
        quotes.get(symbol).set(symbol * 3);
        quotes.remove(symbol - 100);
    }

    interface Step {
        void run() throws InterruptedException;
    }

    private static void forever(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    step.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> {
            failed = true;
            e.printStackTrace();
        });
        for (int i = 0; i < 5; i++) {
            forever("client-" + i, LazyQuotes::client);
        }
        forever("market-a", LazyQuotes::market);
        forever("market-b", LazyQuotes::market);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failed) {
            throw new IllegalStateException("a worker failed");
        }
        System.out.println("DONE " + served);
    }
}
