// @lock Memoizer$Promise
// @type LATCH count=1 form=future
// @role count-down Memoizer$Promise.set
// @role await Memoizer$Promise.get

// @lock java.util.HashSet
// @type LOCK reentrant=false
// @role lock Memoizer$KeyLocks.lock
// @role unlock Memoizer$KeyLocks.unlock

// @lock java.lang.Class#current
// @type MUTEX
// @role enter Memoizer$Config.current

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A cache that computes each value once, locks by key for those who replace values, and configuration read again when it is old. */
public class Memoizer {
    static final class Promise<V> {
        private V value;
        private RuntimeException problem;

        synchronized void set(V v, RuntimeException p) {
            value = v;
            problem = p;
            notifyAll();
        }

        synchronized V get() throws InterruptedException {
            while (value == null && problem == null) {
                wait();
            }
            if (problem != null) {
                throw problem;
            }
            return value;
        }
    }

    static final class KeyLocks<K> {
        private final Set<K> locked = new HashSet<>();

        void lock(K key) throws InterruptedException {
            synchronized (locked) {
                while (!locked.add(key)) {
                    locked.wait();
                }
            }
        }

        void unlock(K key) {
            synchronized (locked) {
                if (!locked.remove(key)) {
                    throw new IllegalStateException("not locked: " + key);
                }
                locked.notifyAll();
            }
        }
    }

    /** Lazily loaded, and again after a while. */
    static final class Config {
        private static Config instance;
        private static long loaded;
        final int version;

        private Config(int version) {
            this.version = version;
        }

        static Config current() throws InterruptedException {
            synchronized (Config.class) {
                long now = System.nanoTime();
                if (instance == null || now - loaded > 20_000_000L) {
                    Thread.sleep(4);
                    instance = new Config(instance == null ? 1 : instance.version + 1);
                    loaded = System.nanoTime();
                }
                return instance;
            }
        }
    }

    private final java.util.concurrent.ConcurrentHashMap<Integer, Promise<String>> cache = new java.util.concurrent.ConcurrentHashMap<>();

    String compute(int key) throws InterruptedException {
        Promise<String> mine = new Promise<>();
        Promise<String> other = cache.putIfAbsent(key, mine);
        if (other != null) {
            return other.get();
        }
        pause(3, 8);
        mine.set("value " + key, null);
        return "value " + key;
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
        Memoizer memo = new Memoizer();
        KeyLocks<Integer> keys = new KeyLocks<>();
        AtomicInteger[] editing = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        for (int i = 0; i < 6; i++) {
            loop("exec-" + i, () -> {
                int k = ThreadLocalRandom.current().nextInt(3);
                check(memo.compute(k).endsWith("" + k), "another's value");
                check(Config.current().version > 0, "config");
                keys.lock(k);
                check(editing[k].incrementAndGet() == 1, "two edit");
                memo.cache.remove(k);
                pause(1, 4);
                editing[k].decrementAndGet();
                keys.unlock(k);
            });
        }
        finish(args);
    }
}
