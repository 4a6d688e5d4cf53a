// @lock java.lang.Object#withLock
// @type MUTEX
// @role enter Jetty$Guarded.withLock

// @lock Jetty$Permits
// @type SEMAPHORE permits=2
// @role acquire Jetty$Permits.acquire
// @role release Jetty$Permits.release

// @lock Jetty$Flow
// @type CONDITION
// @role wait Jetty$Flow.first
// @role notify Jetty$Flow.emit

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Everything through blocks handed in: withLock, withPermit, and a flow whose first value that pleases is waited for. */
public final class Jetty {
    interface Block<R> {
        R invoke() throws InterruptedException;
    }

    static final class Guarded<S> {
        private final Object lock = new Object();
        private S state;

        Guarded(S state) {
            this.state = state;
        }

        <R> R withLock(Step<S, R> block) throws InterruptedException {
            synchronized (lock) {
                return block.invoke(state, s -> state = s);
            }
        }
    }

    interface Step<S, R> {
        R invoke(S state, java.util.function.Consumer<S> set) throws InterruptedException;
    }

    static final class Permits {
        static final Permits INSTANCE = new Permits(2);
        private int available;

        private Permits(int available) {
            this.available = available;
        }

        private synchronized void acquire() throws InterruptedException {
            while (available < 1) {
                wait();
            }
            available -= 1;
        }

        private synchronized void release() {
            available += 1;
            notify();
        }

        <R> R withPermit(Block<R> block) throws InterruptedException {
            acquire();
            try {
                return block.invoke();
            } finally {
                release();
            }
        }
    }

    static final class Flow<T> {
        private T value;

        Flow(T value) {
            this.value = value;
        }

        synchronized void emit(java.util.function.UnaryOperator<T> change) {
            value = change.apply(value);
            notifyAll();
        }

        synchronized T first(java.util.function.Predicate<? super T> pleases) throws InterruptedException {
            while (!pleases.test(value)) {
                wait();
            }
            return value;
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Guarded<Map<String, Integer>> cargo = new Guarded<>(new HashMap<>());
        Flow<Integer> tide = new Flow<>(0);
        AtomicInteger both = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            String name = "crane-" + i;
            loop(name, () -> {
                Permits.INSTANCE.withPermit(() -> {
                    check(both.incrementAndGet() <= 2, "three at two places");
                    pause(1, 5);
                    return both.decrementAndGet();
                });
                cargo.withLock((m, set) -> {
                    Map<String, Integer> copy = new HashMap<>(m);
                    copy.merge(name, 1, Integer::sum);
                    pause(1, 2);
                    set.accept(copy);
                    return null;
                });
            });
        }
        for (int i = 0; i < 3; i++) {
            int rest = i;
            loop("ship-" + i, () -> {
                check(tide.first(t -> t % 3 == rest) % 3 == rest, "wrong tide");
                pause(1, 4);
            });
        }
        loop("moon", () -> {
            pause(3, 8);
            tide.emit(t -> t + 1);
        });
        finish(args);
    }
}
