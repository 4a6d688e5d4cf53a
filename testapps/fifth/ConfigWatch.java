// @lock ConfigWatch$Registry
// @type CONDITION
// @role wait ConfigWatch$Registry.poll
// @role notify ConfigWatch$Registry.set

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A configuration service with long polling: a client names the version that it has and is answered when there is a newer one, or after a while. */
public final class ConfigWatch {
    static final class Entry {
        final String value;
        final long version;

        Entry(String value, long version) {
            this.value = value;
            this.version = version;
        }
    }

    static final class Registry {
        private final Map<String, Entry> entries = new HashMap<>();
        private long versions;

        /** The entry if it is newer than the one known, else null after the time limit. */
        synchronized Entry poll(String key, long known, long millis) throws InterruptedException {
            long deadline = System.currentTimeMillis() + millis;
            Entry e = entries.get(key);
            while (e == null || e.version <= known) {
                long left = deadline - System.currentTimeMillis();
                if (left <= 0) {
                    return null;
                }
                wait(left);
                e = entries.get(key);
            }
            return e;
        }

        synchronized void set(String key, String value) {
            Entry old = entries.get(key);
            if (old != null && old.value.equals(value)) {
                return;
            }
            entries.put(key, new Entry(value, ++versions));
            notifyAll();
        }
    }

    private static final String[] KEYS = {"log.level", "pool.size", "theme"};
    private static final AtomicLong answers = new AtomicLong();
    private static volatile String failure;

    private static void client(Registry registry) throws InterruptedException {
        String key = KEYS[ThreadLocalRandom.current().nextInt(KEYS.length)];
        long known = 0;
        for (int i = 0; i < 20; i++) {
            Entry e = registry.poll(key, known, 25);
            if (e != null) {
                if (e.version <= known || !e.value.startsWith(key)) {
                    failure = "an old or a wrong entry for " + key;
                }
                known = e.version;
            }
            answers.incrementAndGet();
        }
        Thread.sleep(1);
    }

    private static void admin(Registry registry) throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String key = KEYS[random.nextInt(KEYS.length)];
        registry.set(key, key + "=" + random.nextInt(5));
        Thread.sleep(random.nextInt(1, 6));
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Registry registry = new Registry();
        for (int i = 0; i < 7; i++) {
            boolean admin = i == 0;
            Thread t = new Thread(() -> {
                try {
                    while (failure == null) {
                        if (admin) {
                            admin(registry);
                        } else {
                            client(registry);
                        }
                    }
                } catch (InterruptedException e) {
                    failure = "interrupted";
                }
            }, admin ? "admin" : "client-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null || answers.get() == 0) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + answers);
    }
}
