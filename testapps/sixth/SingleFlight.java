// @lock java.util.HashMap#settle
// @type CONDITION
// @role wait SingleFlight$Memo.get
// @role notify SingleFlight$Memo.settle

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** A memo that computes each key once: who comes while it is being computed waits. Entries age and are computed anew. */
public final class SingleFlight {
    static final class Memo<V> {
        private static final Object IN_FLIGHT = new Object();

        private final Map<Integer, Object> entries = new HashMap<>();
        private final IntFunction<? extends V> function;

        Memo(IntFunction<? extends V> function) {
            this.function = function;
        }

        @SuppressWarnings("unchecked")
        V get(int key) throws InterruptedException {
            synchronized (entries) {
                Object entry = entries.get(key);
                while (entry == IN_FLIGHT) {
                    entries.wait();
                    entry = entries.get(key);
                }
                if (entry != null) {
                    return (V) entry;
                }
                entries.put(key, IN_FLIGHT);
            }
            V value = null;
            try {
                value = function.apply(key);
            } finally {
                settle(key, value);
            }
            return value;
        }

        /** A value, or null if there was none to be had: then the next one tries again. */
        private void settle(int key, V value) {
            synchronized (entries) {
                if (value == null) {
                    entries.remove(key);
                } else {
                    entries.put(key, value);
                }
                entries.notifyAll();
            }
        }

        void expire(int key) {
            synchronized (entries) {
                if (entries.get(key) != IN_FLIGHT) {
                    entries.remove(key);
                }
            }
        }
    }

    private static final int KEYS = 4;
    private static final AtomicIntegerArray computing = new AtomicIntegerArray(KEYS);
    private static final AtomicLong answers = new AtomicLong();
    private static volatile Throwable fault;

    private static String compute(int key) {
        try {
            if (computing.incrementAndGet(key) > 1) {
                fault = new IllegalStateException(key + " is computed twice");
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
            if (ThreadLocalRandom.current().nextInt(10) == 0) {
                throw new UnsupportedOperationException("service down");
            }
            return "value of " + key;
        } catch (InterruptedException e) {
            return null;
        } finally {
            computing.decrementAndGet(key);
        }
    }

    private static void client(Memo<String> memo) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try {
            while (fault == null) {
                int key = random.nextInt(KEYS);
                try {
                    if (!("value of " + key).equals(memo.get(key))) {
                        throw new IllegalStateException("wrong value");
                    }
                    answers.incrementAndGet();
                } catch (UnsupportedOperationException e) {
                    Thread.sleep(1);
                }
                if (random.nextInt(3) == 0) {
                    memo.expire(key);
                }
                Thread.sleep(random.nextInt(1, 3));
            }
        } catch (Throwable t) {
            fault = t;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Memo<String> memo = new Memo<>(SingleFlight::compute);
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(() -> client(memo), "client-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        if (fault != null) {
            throw new IllegalStateException(fault);
        }
        System.out.println("DONE " + answers);
    }
}
