// @lock java.lang.Object#touch
// @type MUTEX
// @role enter SessionTable$MemoryStore.touch
// @role enter SessionTable$MemoryStore.open
// @role enter SessionTable$MemoryStore.expire

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A servlet container's sessions: request threads open and touch them, a reaper expires them; the mutex belongs to the base class. */
public final class SessionTable {
    static final class Session {
        final String id;
        long lastUsed = System.nanoTime();
        int hits;

        Session(String id) {
            this.id = id;
        }
    }

    abstract static class Store {
        protected final Object mutex = new Object();

        abstract void open(String id);

        abstract boolean touch(String id) throws InterruptedException;

        abstract int expire(long olderThanNanos) throws InterruptedException;
    }

    static final class MemoryStore extends Store {
        private final Map<String, Session> sessions = new HashMap<>();
        private long opened;
        private long expired;
        private long hits;
        private long hitsOfExpired;

        @Override
        void open(String id) {
            synchronized (mutex) {
                if (sessions.put(id, new Session(id)) != null) {
                    throw new IllegalStateException("session " + id + " opened twice");
                }
                opened++;
            }
        }

        @Override
        boolean touch(String id) throws InterruptedException {
            synchronized (mutex) {
                Session s = sessions.get(id);
                if (s == null) {
                    return false;
                }
                s.lastUsed = System.nanoTime();
                s.hits++;
                replicate(s);
                hits++;
                return true;
            }
        }

        /** The copy for the standby node is written while nobody may change the session. */
        private void replicate(Session s) throws InterruptedException {
            if (s.hits % 2 == 0) {
                Thread.sleep(1);
            }
        }

        @Override
        int expire(long olderThanNanos) throws InterruptedException {
            int gone = 0;
            synchronized (mutex) {
                long now = System.nanoTime();
                for (Iterator<Session> it = sessions.values().iterator(); it.hasNext();) {
                    Session s = it.next();
                    if (now - s.lastUsed > olderThanNanos) {
                        it.remove();
                        hitsOfExpired += s.hits;
                        gone++;
                    }
                }
                expired += gone;
                Thread.sleep(1);
            }
            return gone;
        }

        void check() {
            synchronized (mutex) {
                long live = 0;
                for (Session s : sessions.values()) {
                    live += s.hits;
                }
                if (opened - expired != sessions.size() || live + hitsOfExpired != hits) {
                    throw new IllegalStateException("the session table does not add up");
                }
            }
        }
    }

    private static final AtomicLong ids = new AtomicLong();
    private static final AtomicLong requests = new AtomicLong();
    private static volatile RuntimeException failure;

    private static void serve(MemoryStore store) throws InterruptedException {
        String id = "s" + ids.incrementAndGet();
        store.open(id);
        for (int left = ThreadLocalRandom.current().nextInt(3, 30); left > 0; left--) {
            if (!store.touch(id)) {
                return;
            }
            requests.incrementAndGet();
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
        }
    }

    private static void reap(MemoryStore store) throws InterruptedException {
        store.expire(40_000_000L);
        store.check();
        Thread.sleep(5);
    }

    interface Work {
        void on(MemoryStore store) throws InterruptedException;
    }

    private static void start(String name, MemoryStore store, Work work) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    work.on(store);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        MemoryStore store = new MemoryStore();
        for (int i = 0; i < 7; i++) {
            start("http-" + i, store, SessionTable::serve);
        }
        start("reaper", store, SessionTable::reap);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw failure;
        }
        store.check();
        System.out.println("DONE " + requests);
    }
}
