// @lock ArticleMaster$Article
// @type LOCK+CONDITION reentrant=false
// @role lock ArticleMaster$Article.checkOut
// @role unlock ArticleMaster$Article.checkIn
// @role wait ArticleMaster$Article.awaitNewer
// @role notify ArticleMaster$Article.publish

// @lock ArticleMaster$TreeLock
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock ArticleMaster$TreeLock.readLock
// @role read-unlock ArticleMaster$TreeLock.readUnlock
// @role write-lock ArticleMaster$TreeLock.writeLock
// @role write-unlock ArticleMaster$TreeLock.writeUnlock

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Article records are checked out by one editor at a time; label printers wait on the same record for its next published version. Above it, the tree of article groups. */
public class ArticleMaster {
    static class Article {
        private String editor;
        private int version;
        final AtomicInteger editors = new AtomicInteger();

        synchronized void checkOut(String name) throws InterruptedException {
            if (name.equals(editor)) {
                throw new IllegalStateException(name + " has the record already");
            }
            while (editor != null) {
                wait();
            }
            editor = name;
        }

        synchronized void checkIn(String name) {
            if (!name.equals(editor)) {
                throw new IllegalStateException(name + " has not got the record");
            }
            editor = null;
            notifyAll();
        }

        /** By the nightly distribution, whether somebody edits the record or not. */
        synchronized void publish() {
            version++;
            notifyAll();
        }

        synchronized int awaitNewer(int known) throws InterruptedException {
            while (version <= known) {
                wait();
            }
            return version;
        }
    }

    static class TreeLock {
        private final Map<Thread, Integer> readers = new HashMap<>();
        private Thread writer;
        private int writes;

        synchronized void readLock() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (writer != null && writer != me) {
                wait();
            }
            Integer n = readers.get(me);
            readers.put(me, n == null ? 1 : n + 1);
        }

        synchronized void readUnlock() {
            Thread me = Thread.currentThread();
            int n = readers.get(me);
            if (n == 1) {
                readers.remove(me);
                notifyAll();
            } else {
                readers.put(me, n - 1);
            }
        }

        synchronized void writeLock() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (writer != me && (writer != null || !readers.isEmpty())) {
                wait();
            }
            writer = me;
            writes++;
        }

        synchronized void writeUnlock() {
            if (--writes == 0) {
                writer = null;
                notifyAll();
            }
        }
    }

    private final TreeLock lock = new TreeLock();
    private final int[] group = new int[4];

    private int articles(int g) throws InterruptedException {
        lock.readLock();
        try {
            return group[g];
        } finally {
            lock.readUnlock();
        }
    }

    int allArticles() throws InterruptedException {
        lock.readLock();
        try {
            int sum = 0;
            for (int g = 0; g < group.length; g++) {
                sum += articles(g);
                if (g == 1) {
                    Thread.sleep(1);
                }
            }
            return sum;
        } finally {
            lock.readUnlock();
        }
    }

    private void change(int g, int by) throws InterruptedException {
        lock.writeLock();
        try {
            group[g] += by;
        } finally {
            lock.writeUnlock();
        }
    }

    void regroup(int from, int to) throws InterruptedException {
        lock.writeLock();
        try {
            change(from, -1);
            Thread.sleep(1);
            change(to, 1);
        } finally {
            lock.writeUnlock();
        }
    }

    static volatile Throwable failure;
    static final AtomicLong labels = new AtomicLong();

    interface Step {
        void run() throws InterruptedException;
    }

    static void daemon(String name, Step step) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    step.run();
                }
            } catch (InterruptedException | RuntimeException e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        ArticleMaster master = new ArticleMaster();
        Article[] articles = {new Article(), new Article()};
        for (int i = 0; i < 5; i++) {
            String name = "editor-" + i;
            daemon(name, () -> {
                ThreadLocalRandom r = ThreadLocalRandom.current();
                Article a = articles[r.nextInt(2)];
                a.checkOut(name);
                if (a.editors.incrementAndGet() != 1) {
                    throw new IllegalStateException("two editors on one record");
                }
                Thread.sleep(r.nextInt(2, 6));
                a.editors.decrementAndGet();
                a.checkIn(name);
                if (r.nextInt(3) == 0) {
                    master.regroup(r.nextInt(4), r.nextInt(4));
                } else if (master.allArticles() != 0) {
                    throw new IllegalStateException("an article belongs to no group");
                }
            });
        }
        for (int i = 0; i < 3; i++) {
            Article a = articles[i % 2];
            int[] known = {0};
            daemon("printer-" + i, () -> {
                int v = a.awaitNewer(known[0]);
                if (v <= known[0]) {
                    throw new IllegalStateException("old label");
                }
                known[0] = v;
                labels.incrementAndGet();
                Thread.sleep(2);
            });
        }
        daemon("distribution", () -> {
            Thread.sleep(5);
            articles[0].publish();
            articles[1].publish();
        });
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + labels);
    }
}
