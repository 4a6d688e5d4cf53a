// A cache in front of a slow store: of all who miss the same key at the same time only the first loads it, the others wait
// for the same load. Entries expire at once, so that loads go on for ever; the map's lock is held while an expired entry is written off.
//
// @lock SingleFlight$Load
// @type LATCH count=1 form=future
// @role count-down SingleFlight$Load.complete
// @role await SingleFlight$Load.value
//
// @lock SingleFlight$Cache
// @type MUTEX
// @role enter SingleFlight$Cache.joinOrStart
// @role enter SingleFlight$Cache.expire

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class SingleFlight {
    static final AtomicLong answers = new AtomicLong();
    static volatile String broken;

    static class Load {
        private enum State { PENDING, LOADED }

        final Thread loader = Thread.currentThread();
        private State state = State.PENDING;
        private String result;

        synchronized void complete(String result) {
            this.result = result;
            state = State.LOADED;
            notifyAll();
        }

        synchronized String value(long millis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + millis;
            while (state == State.PENDING) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    return null;
                }
                wait(left);
            }
            return result;
        }
    }

    static class Cache {
        private final Map<Integer, Load> loads = new HashMap<>();
        private int writtenOff;

        synchronized Load joinOrStart(int key) {
            return loads.computeIfAbsent(key, k -> new Load());
        }

        synchronized void expire(int key, Load load) throws InterruptedException {
            if (!loads.remove(key, load)) {
                broken = "expired by someone else";
            }
            int n = writtenOff;
            Thread.sleep(1);
            writtenOff = n + 1;
        }
    }

    static void client(Cache cache) throws InterruptedException {
        ThreadLocalRandom rnd = ThreadLocalRandom.current();
        while (true) {
            int key = rnd.nextInt(3);
            Load load = cache.joinOrStart(key);
            if (load.loader == Thread.currentThread()) {
                Thread.sleep(4 + rnd.nextInt(4)); // the store
                load.complete("value-" + key);
                cache.expire(key, load);
            } else {
                String v = load.value(10_000);
                if (v != null && !v.equals("value-" + key)) {
                    broken = "wrong value " + v;
                }
            }
            answers.incrementAndGet();
            Thread.sleep(rnd.nextInt(3));
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Cache cache = new Cache();
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(() -> {
                try {
                    client(cache);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "client-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && broken == null) {
            Thread.sleep(50);
        }
        System.out.println(broken != null ? broken : "DONE " + answers.get());
        System.exit(broken != null ? 1 : 0);
    }
}
