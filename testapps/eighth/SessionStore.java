// @lock java.util.HashMap#touch
// @type MUTEX
// @role enter SessionStore$Sessions.touch
// @role enter SessionStore$Sessions.expire

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The sessions of a web server: request threads touch them, a reaper throws the old ones away. The table is its own lock. */
public final class SessionStore {
    private static final class Session {
        final String id;
        long hits;
        long lastUsed;

        Session(String id) {
            this.id = id;
        }
    }

    private static final class Sessions {
        private final Map<String, Session> table = new HashMap<>();
        private long created;
        private long expired;

        long touch(String id) throws InterruptedException {
            synchronized (table) {
                Session session = table.get(id);
                if (session == null) {
                    session = new Session(id);
                    restore(session);
                    table.put(id, session);
                    created++;
                }
                session.hits++;
                session.lastUsed = System.nanoTime();
                return session.hits;
            }
        }

        /** Reads what the session store has on disk. */
        private void restore(Session session) throws InterruptedException {
            Thread.sleep(1);
            session.hits = session.id.length();
        }

        int expire(long before) {
            synchronized (table) {
                int gone = 0;
                for (Iterator<Session> all = table.values().iterator(); all.hasNext(); ) {
                    if (all.next().lastUsed - before < 0) {
                        all.remove();
                        gone++;
                    }
                }
                expired += gone;
                if (created - expired != table.size()) {
                    throw new IllegalStateException(created + " created, " + expired + " expired, " + table.size() + " there");
                }
                return gone;
            }
        }
    }

    private static final AtomicLong requests = new AtomicLong();
    private static volatile Throwable failure;

    private static void serve(Sessions sessions) throws InterruptedException {
        String id = "S" + ThreadLocalRandom.current().nextInt(60);
        if (sessions.touch(id) <= 0) {
            throw new IllegalStateException("a session without hits");
        }
        requests.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
    }

    private static void reap(Sessions sessions) throws InterruptedException {
        Thread.sleep(5);
        sessions.expire(System.nanoTime() - 15_000_000);
    }

    private interface Step {
        void run(Sessions sessions) throws InterruptedException;
    }

    private static void start(String name, Sessions sessions, Step step) {
        Thread thread = new Thread(() -> {
            try {
                for (;;) {
                    step.run(sessions);
                }
            } catch (Throwable t) {
                failure = t;
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Sessions sessions = new Sessions();
        for (int i = 0; i < 6; i++) {
            start("request-" + i, sessions, SessionStore::serve);
        }
        start("reaper", sessions, SessionStore::reap);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new Exception(failure);
        }
        System.out.println("DONE " + requests);
    }
}
