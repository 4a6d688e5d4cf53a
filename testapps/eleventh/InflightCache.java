// @lock InflightCache$LoadingValue
// @type LATCH count=1 form=future
// @role await InflightCache$LoadingValue.get
// @role count-down InflightCache$LoadingValue.set
// @role count-down InflightCache$LoadingValue.setException
//
// @lock InflightCache$Segment
// @type MUTEX
// @role enter InflightCache$Segment.lookup
// @quiet

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A cache that loads each missing value once: the first caller loads, the others wait for what is in flight. */
public final class InflightCache<K, V> {
    static final class LoadingValue<T> {
        private T value;
        private RuntimeException failure;
        private boolean done;

        synchronized T get() throws InterruptedException {
            while (!done) {
                wait();
            }
            if (failure != null) {
                throw failure;
            }
            return value;
        }

        synchronized void set(T result) {
            value = result;
            done = true;
            notifyAll();
        }

        synchronized void setException(RuntimeException e) {
            failure = e;
            done = true;
            notifyAll();
        }
    }

    static final class Segment<A, B> {
        private final Map<A, LoadingValue<B>> table = new LinkedHashMap<>(8, 0.75f, true);

        /** What is cached or in flight, or else the fresh value, which its maker must load. */
        synchronized LoadingValue<B> lookup(A key, LoadingValue<B> fresh) {
            LoadingValue<B> known = table.get(key);
            if (known != null) {
                return known;
            }
            table.put(key, fresh);
            if (table.size() > 4) {
                table.remove(table.keySet().iterator().next());
            }
            return fresh;
        }

        synchronized void drop(A key, LoadingValue<B> failed) {
            table.remove(key, failed);
        }
    }

    private final Segment<K, V> segment = new Segment<>();
    private final Function<K, V> loader;

    InflightCache(Function<K, V> loader) {
        this.loader = loader;
    }

    V get(K key) throws InterruptedException {
        LoadingValue<V> fresh = new LoadingValue<>();
        LoadingValue<V> entry = segment.lookup(key, fresh);
        if (entry == fresh) {
            load(key, fresh);
        }
        return entry.get();
    }

    private void load(K key, LoadingValue<V> into) {
        try {
            into.set(loader.apply(key));
        } catch (RuntimeException e) {
            segment.drop(key, into);
            into.setException(e);
        }
    }

    private static final AtomicLong loads = new AtomicLong();
    private static final AtomicLong hits = new AtomicLong();
    private static volatile boolean broken;

    private static String render(Integer page) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (ThreadLocalRandom.current().nextInt(25) == 0) {
            throw new IllegalArgumentException("page " + page + " cannot be rendered");
        }
        loads.incrementAndGet();
        return "page-" + page;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        InflightCache<Integer, String> cache = new InflightCache<>(InflightCache::render);
        AtomicLong clock = new AtomicLong();
        for (int i = 0; i < 10; i++) {
            Thread t = new Thread(() -> browse(cache, clock), "browser-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (broken || hits.get() < loads.get() / 2) {
            throw new IllegalStateException("a wrong page, or none cached");
        }
        System.out.println("DONE " + hits);
    }

    private static void browse(InflightCache<Integer, String> cache, AtomicLong clock) {
        try {
            while (!broken) {
                int page = (int) (clock.incrementAndGet() / 12);
                try {
                    if (!cache.get(page).equals("page-" + page)) {
                        broken = true;
                    }
                    hits.incrementAndGet();
                } catch (IllegalArgumentException e) {
                    Thread.sleep(1);
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
