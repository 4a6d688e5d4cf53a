// @lock PluginRegistry$Registry
// @type MUTEX
// @role enter PluginRegistry$Registry.get
// @role enter PluginRegistry$Registry.unload
// @quiet
//
// @lock PluginRegistry$Lifecycle
// @type CONDITION
// @role wait PluginRegistry$Lifecycle.await
// @role notify PluginRegistry$Lifecycle.enter

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A container with plug-ins. It goes through its states over and over, and requests wait until it is active; plug-ins
 * are made on demand, behind a double check that makes a meeting at the lock a rare thing.
 */
public final class PluginRegistry {
    enum State { STOPPED, STARTING, ACTIVE, STOPPING }

    static final class Lifecycle {
        private State state = State.STOPPED;
        private int cycles;

        synchronized int await(EnumSet<State> wanted) throws InterruptedException {
            while (!wanted.contains(state)) {
                wait();
            }
            return cycles;
        }

        synchronized void enter(State next) {
            if (next.ordinal() != (state.ordinal() + 1) % State.values().length) {
                throw new IllegalStateException(state + " cannot become " + next);
            }
            state = next;
            if (next == State.ACTIVE) {
                cycles++;
            }
            notifyAll();
        }
    }

    static final class Registry {
        private volatile Map<String, Integer> snapshot = new HashMap<>();
        private int loaded;

        int get(String name) {
            Integer plugin = snapshot.get(name);
            if (plugin != null) {
                return plugin;
            }
            synchronized (this) {
                plugin = snapshot.get(name);
                if (plugin == null) {
                    Map<String, Integer> copy = new HashMap<>(snapshot);
                    plugin = ++loaded;
                    copy.put(name, plugin);
                    snapshot = copy;
                }
                return plugin;
            }
        }

        synchronized void unload(String name) {
            Map<String, Integer> copy = new HashMap<>(snapshot);
            copy.remove(name);
            snapshot = copy;
        }
    }

    private static final AtomicLong served = new AtomicLong();
    private static final AtomicInteger errors = new AtomicInteger();

    private static void requests(Lifecycle lifecycle, Registry registry) throws InterruptedException {
        int before = 0;
        while (!Thread.currentThread().isInterrupted()) {
            int cycle = lifecycle.await(EnumSet.of(State.ACTIVE));
            if (cycle < before || cycle < 1) {
                errors.incrementAndGet();
            }
            before = cycle;
            registry.get("plugin" + ThreadLocalRandom.current().nextInt(8));
            served.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        }
    }

    private static void operate(Lifecycle lifecycle, Registry registry) throws InterruptedException {
        for (int i = 0;; i++) {
            lifecycle.enter(State.STARTING);
            Thread.sleep(2);
            lifecycle.enter(State.ACTIVE);
            Thread.sleep(4);
            lifecycle.enter(State.STOPPING);
            registry.unload("plugin" + i % 8);
            lifecycle.enter(State.STOPPED);
            Thread.sleep(1);
        }
    }

    private static void watch(Lifecycle lifecycle) throws InterruptedException {
        for (;;) {
            lifecycle.await(EnumSet.of(State.STOPPED, State.STOPPING));
            Thread.sleep(3);
        }
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    private static void spawn(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                e.printStackTrace();
                errors.incrementAndGet();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Lifecycle lifecycle = new Lifecycle();
        Registry registry = new Registry();
        for (int i = 0; i < 5; i++) {
            spawn(() -> requests(lifecycle, registry));
        }
        spawn(() -> watch(lifecycle));
        spawn(() -> operate(lifecycle, registry));
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (errors.get() > 0) {
            throw new IllegalStateException(errors + " errors");
        }
        System.out.println("DONE " + served);
    }
}
