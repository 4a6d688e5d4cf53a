// @lock JobShop$Desk
// @type PRODUCER-CONSUMER capacity=8
// @role put JobShop$Desk.submit
// @role take JobShop$Desk.next
//
// @lock JobShop$Promise
// @type LATCH count=1 form=future
// @role count-down JobShop$Promise.complete
// @role await JobShop$Promise.get
//
// @lock JobShop$Statistics
// @type MUTEX
// @role enter JobShop$Statistics.record
// @role enter JobShop$Statistics.average

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A small executor service: a desk with eight places for orders, promises for their results, and statistics by kind of job. */
public final class JobShop {
    static final class Promise<V> {
        private boolean completed;
        private V value;
        private Exception problem;

        synchronized void complete(V v, Exception e) {
            if (completed) {
                return;
            }
            value = v;
            problem = e;
            completed = true;
            notifyAll();
        }

        V get() throws Exception {
            synchronized (this) {
                while (!completed) {
                    wait();
                }
                if (problem != null) {
                    throw problem;
                }
                return value;
            }
        }
    }

    static final class Order<V> {
        final String kind;
        private final Callable<V> body;
        final Promise<V> promise = new Promise<>();

        Order(String kind, Callable<V> body) {
            this.kind = kind;
            this.body = body;
        }

        void work() {
            try {
                promise.complete(body.call(), null);
            } catch (Exception e) {
                promise.complete(null, e);
            }
        }
    }

    static final class Desk {
        private final Deque<Order<?>> orders = new ArrayDeque<>();
        private final int places;

        Desk(int places) {
            this.places = places;
        }

        <V> Promise<V> submit(String kind, Callable<V> body) throws InterruptedException {
            Order<V> order = new Order<>(kind, body);
            synchronized (this) {
                while (orders.size() >= places) {
                    wait();
                }
                orders.addLast(order);
                notifyAll();
            }
            return order.promise;
        }

        synchronized Order<?> next() throws InterruptedException {
            while (orders.isEmpty()) {
                wait();
            }
            Order<?> first = orders.removeFirst();
            notifyAll();
            return first;
        }
    }

    static final class Statistics {
        private final Map<String, long[]> byKind = new HashMap<>();

        synchronized void record(String kind, long nanos) throws InterruptedException {
            long[] s = byKind.computeIfAbsent(kind, k -> new long[2]);
            s[0]++;
            if (s[0] % 3 == 0) {
                Thread.sleep(1); // the sample is written to the log
            }
            s[1] += nanos;
        }

        synchronized long average(String kind) {
            long[] s = byKind.get(kind);
            return s == null ? 0 : s[1] / s[0];
        }
    }

    private static final AtomicLong orders = new AtomicLong();
    private static volatile String failure;

    private static void worker(Desk desk, Statistics statistics) {
        try {
            while (true) {
                Order<?> order = desk.next();
                long start = System.nanoTime();
                order.work();
                statistics.record(order.kind, System.nanoTime() - start);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void customer(Desk desk, Statistics statistics) {
        try {
            for (int n = 0; failure == null; n++) {
                int x = n;
                Promise<Integer> square = desk.submit("square", () -> {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                    return x * x;
                });
                Promise<String> name = desk.submit("name", () -> "n" + x);
                Promise<Void> bad = n % 10 != 0 ? null : desk.submit("bad", () -> {
                    throw new UnsupportedOperationException("bad order " + x);
                });
                if (square.get() != x * x || !name.get().equals("n" + x)) {
                    failure = "wrong result for " + x;
                }
                if (bad != null) {
                    try {
                        bad.get();
                        failure = "a bad order came out well";
                    } catch (UnsupportedOperationException e) {
                        orders.incrementAndGet();
                    }
                }
                if (statistics.average("square") < 0) {
                    failure = "time runs backwards";
                }
                orders.addAndGet(2);
                if (n / 40 % 2 == 0) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(4, 14));
                }
            }
        } catch (Exception e) {
            failure = e.toString();
        }
    }

    private static void daemon(Runnable r) {
        Thread t = new Thread(r);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Desk desk = new Desk(8);
        Statistics statistics = new Statistics();
        for (int i = 0; i < 4; i++) {
            daemon(() -> worker(desk, statistics));
        }
        for (int i = 0; i < 8; i++) {
            daemon(() -> customer(desk, statistics));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + orders);
    }
}
