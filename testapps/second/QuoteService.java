// @lock QuoteService$Promise
// @type LATCH count=1 form=future
// @role await QuoteService$Promise.get
// @role count-down QuoteService$Promise.set
// @role count-down QuoteService$Promise.setException

import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Asynchronous price quotes: every request has its own promise, set once by the service thread. */
public class QuoteService {
    static class Promise<V> {
        private V value;
        private Throwable exception;
        private boolean ready;
        private int waiters;

        public synchronized V get() throws InterruptedException, ExecutionException {
            while (!ready) {
                waiters++;
                try {
                    wait();
                } finally {
                    waiters--;
                }
            }
            return report();
        }

        public synchronized V get(long millis)
                throws InterruptedException, ExecutionException, TimeoutException {
            long deadline = System.currentTimeMillis() + millis;
            while (!ready) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    throw new TimeoutException();
                }
                waiters++;
                try {
                    wait(left);
                } finally {
                    waiters--;
                }
            }
            return report();
        }

        public synchronized boolean set(V v) {
            if (ready) {
                return false;
            }
            value = v;
            done();
            return true;
        }

        public synchronized boolean setException(Throwable t) {
            if (ready) {
                return false;
            }
            exception = t;
            done();
            return true;
        }

        private void done() {
            ready = true;
            if (waiters > 0) {
                notifyAll();
            }
        }

        private V report() throws ExecutionException {
            if (exception != null) {
                throw new ExecutionException(exception);
            }
            return value;
        }
    }

    static final AtomicLong quotes = new AtomicLong();
    static volatile String broken;

    static void client(int id) {
        Random rnd = new Random(id);
        try {
            while (true) {
                long symbol = rnd.nextInt(1000);
                Promise<Long> p = new Promise<>();
                ask(p, symbol);
                try {
                    long v = id % 2 == 0 ? p.get() : p.get(30000);
                    if (v != symbol * 7 || symbol % 10 == 0) {
                        broken = "wrong quote " + v + " for " + symbol;
                    }
                } catch (ExecutionException e) {
                    if (symbol % 10 != 0) {
                        broken = "unexpected " + e;
                    }
                } catch (TimeoutException e) {
                    broken = "no answer in 30 s";
                }
                quotes.incrementAndGet();
                Thread.sleep(rnd.nextInt(4));
            }
        } catch (InterruptedException e) {
            broken = "interrupted";
        }
    }

    static final class Ask {
        final Promise<Long> promise;
        final long symbol;

        Ask(Promise<Long> promise, long symbol) {
            this.promise = promise;
            this.symbol = symbol;
        }
    }

    static final Queue<Ask> asks = new ConcurrentLinkedQueue<>();

    static void ask(Promise<Long> p, long symbol) {
        asks.add(new Ask(p, symbol));
    }

    static void serve() {
        try {
            while (true) {
                Ask ask = asks.poll();
                if (ask == null) {
                    Thread.sleep(1);
                } else if (ask.symbol % 10 == 0) {
                    ask.promise.setException(new IllegalArgumentException("unknown " + ask.symbol));
                } else {
                    ask.promise.set(ask.symbol * 7);
                }
            }
        } catch (InterruptedException e) {
            broken = "service interrupted";
        }
    }

    public static void main(String[] a) throws InterruptedException {
        long seconds = a.length > 0 ? Long.parseLong(a[0]) : 600;
        Thread service = new Thread(QuoteService::serve, "quote-service");
        service.setDaemon(true);
        service.start();
        for (int i = 0; i < 4; i++) {
            int id = i;
            Thread t = new Thread(() -> client(id), "client-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken != null) {
            System.out.println(broken);
            System.exit(1);
        }
        System.out.println("DONE " + quotes);
    }
}
