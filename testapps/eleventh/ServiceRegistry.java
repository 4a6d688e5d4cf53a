// @lock ServiceRegistry$ReentrantShare
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock ServiceRegistry$ReentrantShare.lockRead
// @role read-unlock ServiceRegistry$ReentrantShare.unlockRead
// @role write-lock ServiceRegistry$ReentrantShare.lockWrite
// @role write-unlock ServiceRegistry$ReentrantShare.unlockWrite
//
// @lock ServiceRegistry$ServiceTracker
// @type CONDITION
// @role wait ServiceRegistry$ServiceTracker.waitForService
// @role notify ServiceRegistry$ServiceTracker.serviceChanged

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A module framework's registry: nested lookups, bundles that register and withdraw, and trackers that wait for a service to be there. */
public final class ServiceRegistry {
    static final class ReentrantShare {
        private final Map<Thread, Integer> readers = new HashMap<>();
        private Thread writer;
        private int writeHolds;

        synchronized void lockRead() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (writer != null && writer != me) {
                wait();
            }
            readers.merge(me, 1, Integer::sum);
        }

        synchronized void unlockRead() {
            if (readers.computeIfPresent(Thread.currentThread(), (t, n) -> n == 1 ? null : n - 1) == null) {
                notifyAll();
            }
        }

        synchronized void lockWrite() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (!mayWrite(me)) {
                wait();
            }
            writer = me;
            writeHolds++;
        }

        private boolean mayWrite(Thread me) {
            return writer == me || writer == null && readers.isEmpty();
        }

        synchronized void unlockWrite() {
            if (writer != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            if (--writeHolds == 0) {
                writer = null;
                notifyAll();
            }
        }
    }

    /** Follows one service by name. */
    static final class ServiceTracker {
        private Object service;

        synchronized Object waitForService(long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (service == null) {
                long rest = end - System.currentTimeMillis();
                if (rest <= 0) {
                    return null;
                }
                wait(rest);
            }
            return service;
        }

        synchronized void serviceChanged(Object now) {
            service = now;
            if (now != null) {
                notifyAll();
            }
        }
    }

    private final ReentrantShare share = new ReentrantShare();
    private final Map<String, String> services = new HashMap<>();
    private final Map<String, ServiceTracker> trackers = new HashMap<>();
    private int revision;
    private int checked;

    ServiceRegistry(String... names) {
        for (String name : names) {
            trackers.put(name, new ServiceTracker());
        }
    }

    private <T> T reading(Callable<T> body) throws Exception {
        share.lockRead();
        try {
            return body.call();
        } finally {
            share.unlockRead();
        }
    }

    String lookup(String name) throws Exception {
        return reading(() -> services.get(name));
    }

    /** All names with what they are bound to: a lookup within a lookup. */
    int bindings() throws Exception {
        return reading(() -> {
            if (revision != checked) {
                failure = "half a registration was seen";
            }
            int found = 0;
            for (String name : trackers.keySet()) {
                found += lookup(name) != null ? 1 : 0;
            }
            if (ThreadLocalRandom.current().nextBoolean()) {
                Thread.sleep(1);
            }
            return found;
        });
    }

    void register(String name, String service) throws InterruptedException {
        share.lockWrite();
        try {
            if (service == null) {
                services.remove(name);
            } else {
                withdraw(name);
                services.put(name, service);
            }
            revision++;
            Thread.sleep(1);
            checked++;
        } finally {
            share.unlockWrite();
        }
        trackers.get(name).serviceChanged(service);
    }

    private void withdraw(String name) throws InterruptedException {
        share.lockWrite();
        try {
            services.remove(name);
        } finally {
            share.unlockWrite();
        }
    }

    private static final AtomicLong lookups = new AtomicLong();
    private static volatile String failure;

    private static void start(String name, Callable<Void> turn) {
        Thread t = new Thread(name) {
            @Override
            public void run() {
                try {
                    while (failure == null) {
                        turn.call();
                    }
                } catch (InterruptedException e) {
                    interrupt();
                } catch (Exception e) {
                    failure = e.toString();
                }
            }
        };
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        String[] names = {"log", "http", "config"};
        ServiceRegistry registry = new ServiceRegistry(names);
        for (int i = 0; i < 5; i++) {
            start("reader-" + i, () -> {
                registry.bindings();
                lookups.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
                return null;
            });
        }
        for (String name : names) {
            start("bundle-" + name, () -> {
                registry.register(name, name + "-impl");
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                registry.register(name, null);
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 6));
                return null;
            });
            for (int i = 0; i < 2; i++) {
                start("tracker-" + name, () -> {
                    Object found = registry.trackers.get(name).waitForService(500);
                    if (found != null && !found.equals(name + "-impl")) {
                        failure = "a wrong service for " + name;
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
                    return null;
                });
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + lookups);
    }
}
