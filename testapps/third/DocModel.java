// @lock DocModel$Guard
// @type READ-WRITE+CONDITION preference=readers reentrant=false
// @role read-lock DocModel$Guard.beginRead
// @role read-unlock DocModel$Guard.endRead
// @role write-lock DocModel$Guard.beginEdit
// @role write-unlock DocModel$Guard.endEdit
// @role wait DocModel$Guard.awaitEditAfter
// @role notify DocModel$Guard.endEdit

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A document: readers share it, editors have it alone, and an indexer waits on the same monitor for any edit newer than it knows. */
public final class DocModel {
    static final class Guard {
        private int readers;
        private boolean editing;
        private long edition;

        public synchronized void beginRead() throws InterruptedException {
            while (editing) {
                wait();
            }
            readers++;
        }

        public synchronized void endRead() {
            if (--readers == 0) {
                notifyAll();
            }
        }

        public synchronized void beginEdit() throws InterruptedException {
            while (editing || readers > 0) {
                wait();
            }
            editing = true;
        }

        public synchronized void endEdit() {
            editing = false;
            edition++;
            notifyAll();
        }

        public synchronized long awaitEditAfter(long known) throws InterruptedException {
            while (edition <= known) {
                wait();
            }
            return edition;
        }
    }

    private final Guard guard = new Guard();
    private final int[] words = new int[50];
    private final AtomicLong ops = new AtomicLong();
    private volatile boolean broken;
    private volatile boolean stop;

    private void read() throws InterruptedException {
        guard.beginRead();
        try {
            int w = words[49];
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            broken |= words[0] != w;
        } finally {
            guard.endRead();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(4, 11));
    }

    private void edit() throws InterruptedException {
        guard.beginEdit();
        try {
            words[0]++;
            Thread.sleep(2);
            for (int i = 1; i < words.length; i++) {
                words[i] = words[0];
            }
        } finally {
            guard.endEdit();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(6, 14));
    }

    private long index(long known) throws InterruptedException {
        long now = guard.awaitEditAfter(known);
        broken |= now <= known;
        Thread.sleep(1);
        return now;
    }

    interface Act {
        long step(long n) throws InterruptedException;
    }

    private Thread start(String name, Act act) {
        Thread t = new Thread(() -> {
            try {
                long n = 0;
                while (!stop) {
                    n = act.step(n);
                    ops.incrementAndGet();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        DocModel doc = new DocModel();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(doc.start("reader-" + i, n -> {
                doc.read();
                return n;
            }));
        }
        for (int i = 0; i < 2; i++) {
            threads.add(doc.start("editor-" + i, n -> {
                doc.edit();
                return n;
            }));
        }
        doc.start("indexer", doc::index);
        doc.start("preview", doc::index);
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        doc.stop = true;
        for (Thread t : threads) {
            t.join(5_000);
        }
        if (doc.broken) {
            throw new IllegalStateException("half an edit was seen");
        }
        System.out.println("DONE " + doc.ops);
    }
}
