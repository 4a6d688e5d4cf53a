// @lock ConfigTree$Sharing
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock ConfigTree$Sharing.lockRead
// @role read-unlock ConfigTree$Sharing.unlockRead
// @role write-lock ConfigTree$Sharing.lockWrite
// @role write-unlock ConfigTree$Sharing.unlockWrite

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A configuration read recursively by services; who reads, and how deep, is kept in a map by thread. */
public final class ConfigTree {
    static final class Sharing {
        private final Map<Thread, Integer> reading = new HashMap<>();
        private Thread writing;
        private int depth;

        void lockRead() throws InterruptedException {
            Thread t = Thread.currentThread();
            synchronized (this) {
                while (!mayRead(t)) {
                    wait();
                }
                Integer n = reading.get(t);
                reading.put(t, n == null ? 1 : n + 1);
            }
        }

        private boolean mayRead(Thread t) {
            return writing == null || writing == t || reading.containsKey(t);
        }

        void unlockRead() {
            Thread t = Thread.currentThread();
            synchronized (this) {
                Integer n = reading.get(t);
                if (n == null) {
                    throw new IllegalMonitorStateException("not reading");
                }
                if (n > 1) {
                    reading.put(t, n - 1);
                    return;
                }
                reading.remove(t);
                if (reading.isEmpty()) {
                    notifyAll();
                }
            }
        }

        void lockWrite() throws InterruptedException {
            Thread t = Thread.currentThread();
            synchronized (this) {
                while (!mayWrite(t)) {
                    wait();
                }
                writing = t;
                depth++;
            }
        }

        private boolean mayWrite(Thread t) {
            return writing == t || writing == null && reading.isEmpty();
        }

        void unlockWrite() {
            synchronized (this) {
                if (writing != Thread.currentThread()) {
                    throw new IllegalMonitorStateException("not writing");
                }
                if (--depth == 0) {
                    writing = null;
                    notifyAll();
                }
            }
        }
    }

    private final Sharing sharing = new Sharing();
    private final Map<String, Integer> values = new HashMap<>();
    private final AtomicLong lookups = new AtomicLong();
    private volatile boolean failed;

    private Integer lookup(String path) throws InterruptedException {
        sharing.lockRead();
        try {
            Integer v = values.get(path);
            int dot = path.lastIndexOf('.');
            if (v == null && dot > 0) {
                v = lookup(path.substring(0, dot)); // inherited from the parent
            }
            if (path.length() > 6) {
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
            }
            return v;
        } finally {
            sharing.unlockRead();
        }
    }

    private void reload(int value) throws InterruptedException {
        sharing.lockWrite();
        try {
            values.clear();
            Thread.sleep(1);
            set("http", value);
            set("http.port", value);
        } finally {
            sharing.unlockWrite();
        }
    }

    private void set(String path, int value) throws InterruptedException {
        sharing.lockWrite();
        try {
            values.put(path, value);
        } finally {
            sharing.unlockWrite();
        }
    }

    private void body(int id) {
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        try {
            for (int n = 0; !failed; n++) {
                if (id > 3) {
                    reload(n);
                    Thread.sleep(dice.nextInt(5, 12));
                } else {
                    if (lookup("http.port.max.idle") == null) {
                        failed = true;
                    }
                    lookups.incrementAndGet();
                    Thread.sleep(dice.nextInt(2, 7));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ConfigTree config = new ConfigTree();
        config.reload(0);
        for (int i = 0; i < 6; i++) {
            int id = i;
            Thread t = new Thread(() -> config.body(id), (id > 3 ? "admin-" : "service-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (config.failed) {
            throw new IllegalStateException("a lookup met a half-loaded configuration");
        }
        System.out.println("DONE " + config.lookups);
    }
}
