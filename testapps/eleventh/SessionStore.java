// @lock SessionStore$AccessMonitor
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock SessionStore$AccessMonitor.beginRead
// @role read-unlock SessionStore$AccessMonitor.endRead
// @role write-lock SessionStore$AccessMonitor.beginWrite
// @role write-unlock SessionStore$AccessMonitor.endWrite
//
// @lock SessionStore$BackgroundProcessor
// @type DELAY
// @role delay SessionStore$BackgroundProcessor.run

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A servlet container's session store: lookups share, logins and the expiry exclude, and expiry runs on a background thread. */
public class SessionStore {
    static class Session {
        final int id;
        volatile long expiresAt;
        boolean attached = true;

        Session(int id) {
            this.id = id;
            touch();
        }

        final void touch() {
            expiresAt = System.currentTimeMillis() + 25;
        }
    }

    /** Shared and exclusive access; a writer that waits keeps new readers out. */
    static class AccessMonitor {
        private int readers;
        private int writersWaiting;
        private boolean writing;

        void beginRead() throws InterruptedException {
            synchronized (this) {
                while (writing || writersWaiting > 0) {
                    wait();
                }
                readers++;
            }
        }

        void endRead() {
            synchronized (this) {
                if (--readers == 0) {
                    notifyAll();
                }
            }
        }

        void beginWrite() throws InterruptedException {
            synchronized (this) {
                writersWaiting++;
                try {
                    while (writing || readers > 0) {
                        wait();
                    }
                    writing = true;
                } catch (InterruptedException e) {
                    notifyAll();
                    throw e;
                } finally {
                    writersWaiting--;
                }
            }
        }

        void endWrite() {
            synchronized (this) {
                writing = false;
                notifyAll();
            }
        }
    }

    private final AccessMonitor monitor = new AccessMonitor();
    private final Map<Integer, Session> sessions = new HashMap<Integer, Session>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong requests = new AtomicLong();
    private volatile boolean failed;

    boolean visit(int id) throws InterruptedException {
        monitor.beginRead();
        try {
            if (inside.incrementAndGet() <= 0) {
                failed = true;
            }
            Session session = sessions.get(id);
            if (ThreadLocalRandom.current().nextInt(2) == 0) {
                Thread.sleep(1);
            }
            if (session == null) {
                return false;
            }
            if (!session.attached) {
                failed = true;
            }
            session.touch();
            return true;
        } finally {
            inside.decrementAndGet();
            monitor.endRead();
        }
    }

    void login(int id) throws InterruptedException {
        monitor.beginWrite();
        try {
            enterAlone();
            sessions.putIfAbsent(id, new Session(id));
            leaveAlone();
        } finally {
            monitor.endWrite();
        }
    }

    void expire() throws InterruptedException {
        monitor.beginWrite();
        try {
            enterAlone();
            long now = System.currentTimeMillis();
            for (Iterator<Session> it = sessions.values().iterator(); it.hasNext(); ) {
                Session s = it.next();
                if (s.expiresAt < now) {
                    s.attached = false;
                    it.remove();
                }
            }
            Thread.sleep(1);
            leaveAlone();
        } finally {
            monitor.endWrite();
        }
    }

    private void enterAlone() {
        if (!inside.compareAndSet(0, -100)) {
            failed = true;
        }
    }

    private void leaveAlone() {
        inside.addAndGet(100);
    }

    class BackgroundProcessor implements Runnable {
        private final long periodMillis;

        BackgroundProcessor(long periodMillis) {
            this.periodMillis = periodMillis;
        }

        @Override
        public void run() {
            try {
                while (!failed) {
                    synchronized (this) {
                        wait(periodMillis);
                    }
                    expire();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    class RequestThread extends Thread {
        RequestThread(int n) {
            super("request-" + n);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!failed) {
                    int id = ThreadLocalRandom.current().nextInt(60);
                    if (!visit(id)) {
                        login(id);
                    }
                    requests.incrementAndGet();
                    sleep(ThreadLocalRandom.current().nextInt(1, 5));
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        SessionStore store = new SessionStore();
        Thread background = new Thread(store.new BackgroundProcessor(8), "background");
        background.setDaemon(true);
        background.start();
        for (int i = 0; i < 8; i++) {
            store.new RequestThread(i).start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (store.failed) {
            throw new IllegalStateException("a reader met a writer");
        }
        System.out.println("DONE " + store.requests);
    }
}
