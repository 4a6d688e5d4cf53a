// @lock java.util.HashMap
// @type MUTEX
// @role enter SessionRegistry$Registry.touch
// @role enter SessionRegistry$Registry.expire

// @lock SessionRegistry$Reaper
// @type DELAY
// @role delay SessionRegistry$Reaper.run

// @lock SessionRegistry$Session
// @type LOCK reentrant=true
// @role lock SessionRegistry$Session.attach
// @role unlock SessionRegistry$Session.detach

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Web sessions: a table with a reaper, and the rule that one request at a time works on a session (nested forwards included). */
public class SessionRegistry {
    static final class Session {
        private volatile long lastAccess = System.nanoTime();
        final AtomicInteger requests = new AtomicInteger();
        private Thread request;
        private int forwards;

        synchronized void attach() throws InterruptedException {
            Thread t = Thread.currentThread();
            if (request != t) {
                while (request != null) {
                    wait();
                }
                request = t;
            }
            forwards++;
            lastAccess = System.nanoTime();
        }

        synchronized void detach() {
            if (request != Thread.currentThread()) {
                throw new IllegalStateException("not attached");
            }
            if (--forwards == 0) {
                request = null;
                notify();
            }
        }
    }

    static final class Registry {
        private final Map<String, Session> sessions = new HashMap<>();

        Session touch(String id) throws InterruptedException {
            synchronized (sessions) {
                Session s = sessions.get(id);
                if (s == null) {
                    Thread.sleep(1);
                    s = new Session();
                    sessions.put(id, s);
                }
                return s;
            }
        }

        int expire(long nanos) throws InterruptedException {
            synchronized (sessions) {
                int before = sessions.size();
                long now = System.nanoTime();
                for (Iterator<Session> i = sessions.values().iterator(); i.hasNext();) {
                    Session s = i.next();
                    if (now - s.lastAccess > nanos) {
                        i.remove();
                    }
                }
                Thread.sleep(2);
                return before - sessions.size();
            }
        }
    }

    static final class Reaper implements Runnable {
        private final Registry registry;

        Reaper(Registry r) {
            registry = r;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    synchronized (this) {
                        wait(12);
                    }
                    registry.expire(30_000_000);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        Registry registry = new Registry();
        Thread reaper = new Thread(new Reaper(registry), "session-reaper");
        reaper.setDaemon(true);
        reaper.start();
        for (int i = 0; i < 6; i++) {
            int me = i;
            loop("http-" + i, () -> {
                Session s = registry.touch("S" + (me + ThreadLocalRandom.current().nextInt(2)) / 2 * 2);
                s.attach();
                try {
                    s.attach();
                    check(s.requests.incrementAndGet() == 1, "two requests");
                    pause(1, 5);
                    s.requests.decrementAndGet();
                    s.detach();
                } finally {
                    s.detach();
                }
            });
        }
        finish(args);
    }
}
