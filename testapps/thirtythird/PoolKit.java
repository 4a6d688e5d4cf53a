// @lock PoolKit$GenericPool
// @type SEMAPHORE permits=3 form=object-pool
// @role acquire PoolKit$GenericPool.borrow
// @role release PoolKit$GenericPool.giveBack

// @lock java.lang.Class#getInstance
// @type MUTEX
// @role enter PoolKit$Registry.getInstance
// @quiet

// @lock PoolKit$Lifecycle
// @type CONDITION
// @role wait PoolKit$Lifecycle.awaitStarted
// @role wait PoolKit$Lifecycle.awaitStopped
// @role notify PoolKit$Lifecycle.transition

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** A framework: objects are made on demand up to a limit and lent out, components have a life cycle, a registry is made when first asked for. */
public final class PoolKit {
    interface Factory<T> {
        T create();

        boolean validate(T t);

        void destroy(T t);
    }

    static final class GenericPool<T> {
        private final Factory<T> factory;
        private final int maxTotal;
        private final Deque<T> idle = new ArrayDeque<>();
        private int created;

        GenericPool(Factory<T> factory, int maxTotal) {
            this.factory = factory;
            this.maxTotal = maxTotal;
        }

        T borrow(long timeout, TimeUnit unit) throws InterruptedException, TimeoutException {
            final long deadline = System.nanoTime() + unit.toNanos(timeout);
            synchronized (this) {
                while (true) {
                    T t = idle.pollFirst();
                    if (t != null) {
                        if (factory.validate(t)) {
                            return t;
                        }
                        factory.destroy(t);
                        created--;
                        continue;
                    }
                    if (created < maxTotal) {
                        created++;
                        return factory.create();
                    }
                    final long left = deadline - System.nanoTime();
                    if (left <= 0) {
                        throw new TimeoutException("pool exhausted");
                    }
                    wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
                }
            }
        }

        void giveBack(T t) {
            synchronized (this) {
                idle.addFirst(t);
                notify();
            }
        }
    }

    static final class Registry {
        private static Registry instance;
        private final Map<String, Integer> entries = new HashMap<>();

        static synchronized Registry getInstance() {
            if (instance == null) {
                instance = new Registry();
                instance.entries.put("pool", 3);
            }
            return instance;
        }

        int get(String key) {
            return entries.get(key);
        }
    }

    enum State {
        NEW, STARTING, STARTED, STOPPING, STOPPED;

        State next() {
            return this == STOPPED ? STARTING : values()[ordinal() + 1];
        }
    }

    static final class Lifecycle {
        private State state = State.NEW;

        synchronized void transition(State to) {
            if (state.next() != to) {
                throw new IllegalStateException(state + " -> " + to);
            }
            state = to;
            notifyAll();
        }

        synchronized void awaitStarted() throws InterruptedException {
            while (state != State.STARTED) {
                wait();
            }
        }

        synchronized void awaitStopped() throws InterruptedException {
            while (state != State.STOPPED && state != State.NEW) {
                wait();
            }
        }
    }

    static final class Connection {
        int uses;
        volatile Thread user;
    }

    static volatile String failure;
    static final AtomicInteger live = new AtomicInteger();

    @FunctionalInterface
    interface Loop {
        void once() throws Exception;
    }

    static void loop(String name, Loop l) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    l.once();
                }
            } catch (Exception e) {
                failure = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        GenericPool<Connection> pool = new GenericPool<>(new Factory<Connection>() {
            @Override
            public Connection create() {
                live.incrementAndGet();
                return new Connection();
            }

            @Override
            public boolean validate(Connection c) {
                return c.uses < 500;
            }

            @Override
            public void destroy(Connection c) {
                live.decrementAndGet();
            }
        }, Registry.getInstance().get("pool"));
        Lifecycle life = new Lifecycle();
        AtomicInteger ops = new AtomicInteger();
        for (int i = 0; i < 6; i++) {
            loop("servlet-" + i, () -> {
                Connection c = pool.borrow(60, TimeUnit.SECONDS);
                if (c.user != null || live.get() > Registry.getInstance().get("pool")) {
                    throw new IllegalStateException("lent twice, or too many");
                }
                c.user = Thread.currentThread();
                c.uses++;
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                c.user = null;
                pool.giveBack(c);
                ops.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(0, 4));
            });
        }
        for (int i = 0; i < 2; i++) {
            loop("listener-" + i, () -> {
                life.awaitStarted();
                Thread.sleep(ThreadLocalRandom.current().nextInt(4, 9));
                life.awaitStopped();
            });
        }
        loop("container", () -> {
            life.transition(State.STARTING);
            Thread.sleep(5);
            life.transition(State.STARTED);
            Thread.sleep(15);
            life.transition(State.STOPPING);
            Thread.sleep(5);
            life.transition(State.STOPPED);
            Thread.sleep(15);
        });
        System.out.println("READY");
        Thread.sleep(1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600));
        if (failure != null) {
            System.out.println(failure);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
    }
}
