// @lock LeaseStore$Lease
// @type LOCK reentrant=false
// @role lock LeaseStore$Lease.tryAcquire
// @role unlock LeaseStore$Lease.release
//
// @lock LeaseStore$Watch
// @type CONDITION
// @role wait LeaseStore$Watch.awaitNewer
// @role notify LeaseStore$Watch.publish

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A coordination store: one client at a time holds the lease on a node and writes it; others watch for versions newer than theirs. */
public final class LeaseStore {
    /** Exclusive, known by the holder's name, not to be taken twice. */
    static final class Lease {
        private String holder = "";

        boolean tryAcquire(String client, long timeoutMillis) throws InterruptedException {
            long deadline = System.nanoTime() + timeoutMillis * 1_000_000L;
            synchronized (this) {
                if (holder.equals(client)) {
                    throw new IllegalStateException(client + " already holds the lease");
                }
                while (!holder.isEmpty()) {
                    long left = deadline - System.nanoTime();
                    if (left <= 0) {
                        return false;
                    }
                    wait(left / 1_000_000 + 1);
                }
                holder = Objects.requireNonNull(client);
                return true;
            }
        }

        void release(String client) {
            synchronized (this) {
                if (!holder.equals(client)) {
                    throw new IllegalStateException(client + " does not hold the lease");
                }
                holder = "";
                notify();
            }
        }
    }

    static final class Versioned {
        final long version;
        final String writer;

        Versioned(long version, String writer) {
            this.version = version;
            this.writer = writer;
        }
    }

    static final class Watch {
        private Versioned latest = new Versioned(0, "nobody");

        synchronized Versioned awaitNewer(long seen) throws InterruptedException {
            while (latest.version <= seen) {
                wait();
            }
            return latest;
        }

        synchronized void publish(Versioned next) {
            if (next.version != latest.version + 1) {
                failure = "version " + next.version + " after " + latest.version;
            }
            latest = next;
            notifyAll();
        }

        synchronized long version() {
            return latest.version;
        }
    }

    private static final AtomicLong seen = new AtomicLong();
    private static volatile String failure;

    private final Lease lease = new Lease();
    private final Watch watch = new Watch();

    void writer(String name) {
        try {
            while (failure == null) {
                if (lease.tryAcquire(name, 500)) {
                    try {
                        long base = watch.version();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 3));
                        watch.publish(new Versioned(base + 1, name));
                    } finally {
                        lease.release(name);
                    }
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 7));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            failure = e.getMessage();
        }
    }

    void watcher() {
        try {
            for (long at = 0; failure == null; ) {
                Versioned v = watch.awaitNewer(at);
                if (v.version <= at || v.writer.equals("nobody")) {
                    failure = "an old version was seen";
                }
                at = v.version;
                seen.incrementAndGet();
                if (at % 3 == 0) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int s = 0; s < 2; s++) {
            LeaseStore store = new LeaseStore();
            for (int i = 0; i < 4; i++) {
                String name = "client-" + s + i;
                launch(() -> store.writer(name), name);
                launch(store::watcher, "watcher-" + s + i);
            }
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + seen);
    }

    private static void launch(Runnable body, String name) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
    }
}
