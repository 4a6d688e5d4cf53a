// @lock BeanRegistry$Guard
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock BeanRegistry$Guard.beginRead
// @role read-unlock BeanRegistry$Guard.endRead
// @role write-lock BeanRegistry$Guard.beginWrite
// @role write-unlock BeanRegistry$Guard.endWrite

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The beans of an application container. Looking up a bean looks up what it depends on, within the same reading; registering
 * one may register others. Who registers may look up as well, but not the other way round.
 */
public final class BeanRegistry {

    static final class Guard {
        private final Map<Thread, Integer> readers = new IdentityHashMap<>();
        private Thread writer;
        private int writes;

        private synchronized void beginRead() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (writer != null && writer != me) {
                wait();
            }
            readers.merge(me, 1, Integer::sum);
        }

        private synchronized void endRead() {
            Thread me = Thread.currentThread();
            Integer left = readers.computeIfPresent(me, (thread, depth) -> depth == 1 ? null : depth - 1);
            if (left == null) {
                notifyAll();
            }
        }

        private synchronized void beginWrite() throws InterruptedException {
            Thread me = Thread.currentThread();
            if (writer != me) {
                if (readers.containsKey(me)) {
                    throw new IllegalStateException("a reader cannot become a writer");
                }
                while (writer != null || !readers.isEmpty()) {
                    wait();
                }
                writer = me;
            }
            writes++;
        }

        private synchronized void endWrite() {
            if (--writes == 0) {
                writer = null;
                notifyAll();
            }
        }

        <T> T reading(Supplier<T> body) throws InterruptedException {
            beginRead();
            try {
                return body.get();
            } finally {
                endRead();
            }
        }

        void writing(Runnable body) throws InterruptedException {
            beginWrite();
            try {
                body.run();
            } finally {
                endWrite();
            }
        }
    }

    private static final Guard guard = new Guard();
    private static final Map<String, String> dependencies = new HashMap<>();
    private static int version;
    private static final Map<String, Integer> versions = new HashMap<>();
    private static final AtomicLong lookups = new AtomicLong();
    private static volatile Throwable failure;

    /** The length of the chain of dependencies; a bean and what it depends on are of one version. */
    private static int resolve(String bean) throws InterruptedException {
        return guard.reading(() -> {
            String other = dependencies.get(bean);
            if (other == null) {
                pause(1);
                return 1;
            }
            if (!versions.get(other).equals(versions.get(bean))) {
                throw new IllegalStateException(bean + " and " + other + " are of different versions");
            }
            try {
                return 1 + resolve(other);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void register(int number) throws InterruptedException {
        guard.writing(() -> {
            try {
                if (number > 0) {
                    register(number - 1);
                    dependencies.put("bean" + number, "bean" + (number - 1));
                } else {
                    version++;
                    pause(1);
                }
                versions.put("bean" + number, version);
                if (number == 3 && resolve("bean3") != 4) {
                    throw new IllegalStateException("a broken chain");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(String name, int rest, Step step) {
        Thread thread = new Thread(() -> {
            try {
                for (;;) {
                    step.run();
                    pause(ThreadLocalRandom.current().nextInt(1, rest));
                }
            } catch (Throwable t) {
                failure = t;
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    private interface Step {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        register(3);
        for (int i = 0; i < 4; i++) {
            run("request-" + i, 8, () -> {
                if (resolve("bean" + ThreadLocalRandom.current().nextInt(4)) < 1) {
                    throw new IllegalStateException("no bean");
                }
                lookups.incrementAndGet();
            });
        }
        run("deployer", 10, () -> register(3));
        run("reloader", 12, () -> register(3));
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new Exception(failure);
        }
        System.out.println("DONE " + lookups);
    }
}
