// @lock java.lang.Object#fetch
// @type MUTEX
// @role enter LruPages$Cache.fetch
// @role enter LruPages$Cache.invalidate

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A least-recently-used cache as a library offers it: loader and eviction listeners run while the cache is locked. */
public final class LruPages {
    static final class Cache<K, V> {
        private final Object mutex = new Object();
        private final Function<? super K, ? extends V> loader;
        private final List<BiConsumer<? super K, ? super V>> listeners = new ArrayList<>();
        private final LinkedHashMap<K, V> map;
        private long hits;
        private long misses;

        Cache(final int limit, Function<? super K, ? extends V> loader) {
            this.loader = loader;
            this.map = new LinkedHashMap<K, V>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                    if (size() <= limit) {
                        return false;
                    }
                    announce(eldest.getKey(), eldest.getValue());
                    return true;
                }
            };
        }

        void onEviction(BiConsumer<? super K, ? super V> listener) {
            synchronized (mutex) {
                listeners.add(listener);
            }
        }

        V fetch(K key) {
            synchronized (mutex) {
                V value = map.get(key);
                if (value != null) {
                    hits++;
                    return value;
                }
                misses++;
                value = loader.apply(key);
                map.put(key, value);
                return value;
            }
        }

        boolean invalidate(K key) {
            synchronized (mutex) {
                V value = map.remove(key);
                if (value != null) {
                    announce(key, value);
                }
                return value != null;
            }
        }

        private void announce(K key, V value) {
            listeners.forEach(listener -> listener.accept(key, value));
        }

        long requests() {
            synchronized (mutex) {
                return hits + misses;
            }
        }
    }

    private static final AtomicInteger resident = new AtomicInteger();
    private static final AtomicLong answered = new AtomicLong();
    private static volatile boolean wrong;

    private static byte[] readPage(int number) {
        resident.incrementAndGet();
        byte[] page = new byte[512];
        page[0] = (byte) number;
        nap(1);
        return page;
    }

    private static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void query(Cache<Integer, byte[]> cache) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!wrong) {
            int number = (int) (60 * random.nextDouble() * random.nextDouble());
            if (cache.fetch(number)[0] != (byte) number) {
                wrong = true;
            }
            if (random.nextInt(8) == 0) {
                cache.invalidate(random.nextInt(60));
            }
            answered.incrementAndGet();
            nap(1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Cache<Integer, byte[]> cache = new Cache<>(20, LruPages::readPage);
        cache.onEviction((number, page) -> resident.decrementAndGet());
        for (int i = 0; i < 6; i++) {
            Thread t = new Thread(() -> query(cache), "query-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        for (long end = System.currentTimeMillis() + seconds * 1000; System.currentTimeMillis() < end && !wrong; ) {
            Thread.sleep(100);
            if (resident.get() > 22) { // one being read and one not yet evicted at the most
                wrong = true;
            }
        }
        if (wrong || cache.requests() < answered.get()) {
            throw new AssertionError("wrong page, wrong count, or too many pages resident");
        }
        System.out.println("DONE " + answered);
    }
}
