// @lock RowLocks$LockEntry
// @type READ-WRITE
// @role read-lock RowLocks$LockEntry.lock
// @role write-lock RowLocks$LockEntry.lock
// @role read-unlock RowLocks$LockEntry.unlock
// @role write-unlock RowLocks$LockEntry.unlock

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The lock manager of a teaching database: transactions lock pages shared or exclusively, by a matrix of compatible modes. */
public final class RowLocks {
    enum Mode {
        SHARED, EXCLUSIVE;

        Set<Mode> compatible() {
            return this == SHARED ? EnumSet.of(SHARED) : EnumSet.noneOf(Mode.class);
        }
    }

    static final class Txn {
        final List<Runnable> atCommit = new ArrayList<>();

        void commit() {
            for (int i = atCommit.size() - 1; i >= 0; i--) {
                atCommit.get(i).run();
            }
            atCommit.clear();
        }
    }

    static final class LockEntry {
        private final Map<Mode, Set<Txn>> granted = new EnumMap<>(Mode.class);

        LockEntry() {
            for (Mode m : Mode.values()) {
                granted.put(m, new HashSet<>());
            }
        }

        private boolean grantable(Mode wanted) {
            for (Map.Entry<Mode, Set<Txn>> g : granted.entrySet()) {
                if (!g.getValue().isEmpty() && !wanted.compatible().contains(g.getKey())) {
                    return false;
                }
            }
            return true;
        }

        void lock(Txn txn, Mode mode) throws InterruptedException {
            synchronized (this) {
                while (!grantable(mode)) {
                    wait();
                }
                granted.get(mode).add(txn);
            }
            txn.atCommit.add(() -> unlock(txn, mode));
        }

        synchronized void unlock(Txn txn, Mode mode) {
            if (!granted.get(mode).remove(txn)) {
                throw new IllegalStateException("not locked");
            }
            notifyAll();
        }
    }

    static final class Page {
        final LockEntry lock = new LockEntry();
        int left = 500;
        int right = 500;
    }

    private static final Page[] pages = {new Page(), new Page(), new Page()};
    private static final AtomicLong commits = new AtomicLong();
    private static volatile String failure;

    private static void scan() throws InterruptedException {
        Txn txn = new Txn();
        try {
            for (Page p : pages) {
                p.lock.lock(txn, Mode.SHARED);
                int left = p.left;
                Thread.sleep(ThreadLocalRandom.current().nextInt(2));
                if (left + p.right != 1000) {
                    failure = "a page adds up to " + (left + p.right);
                }
            }
        } finally {
            txn.commit();
        }
    }

    private static void update() throws InterruptedException {
        Txn txn = new Txn();
        try {
            ThreadLocalRandom r = ThreadLocalRandom.current();
            int at = r.nextInt(pages.length);
            for (Page p : new Page[] {pages[at], at + 1 < pages.length ? pages[at + 1] : null}) {
                if (p != null) {
                    p.lock.lock(txn, Mode.EXCLUSIVE);
                    int n = r.nextInt(10);
                    p.left -= n;
                    Thread.sleep(1);
                    p.right += n;
                }
            }
        } finally {
            txn.commit();
        }
    }

    private static void client(boolean writer) {
        try {
            while (failure == null) {
                if (writer) {
                    update();
                } else {
                    scan();
                }
                commits.incrementAndGet();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        for (int i = 0; i < 7; i++) {
            boolean writer = i >= 4;
            Thread t = new Thread(() -> client(writer), writer ? "update" : "scan");
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + commits);
    }
}
