// @lock CodeIndex$IndexLock
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock CodeIndex$IndexLock.enterRead
// @role read-unlock CodeIndex$IndexLock.leaveRead
// @role write-lock CodeIndex$IndexLock.enterWrite
// @role write-unlock CodeIndex$IndexLock.leaveWrite
//
// @lock CodeIndex$ChangeQueue
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put CodeIndex$ChangeQueue.post
// @role take CodeIndex$ChangeQueue.take

import java.util.HashMap;
import java.util.LinkedList;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** The symbol index of an IDE: editors post changes, an indexer applies them, completion and highlighting read recursively. */
public class CodeIndex {

    static class IndexLock {
        private final Map<Thread, Integer> reading = new HashMap<>();
        private Thread writer;
        private int writeDepth;

        synchronized void enterRead() throws InterruptedException {
            Thread me = Thread.currentThread();
            while (writer != null && writer != me)
                wait();
            reading.merge(me, 1, Integer::sum);
        }

        synchronized void leaveRead() {
            Thread me = Thread.currentThread();
            Integer n = reading.get(me);
            if (n == null)
                throw new IllegalMonitorStateException();
            if (n == 1)
                reading.remove(me);
            else
                reading.put(me, n - 1);
            if (reading.isEmpty())
                notifyAll();
        }

        synchronized void enterWrite() throws InterruptedException {
            Thread me = Thread.currentThread();
            if (writer != me) {
                while (writer != null || !reading.isEmpty())
                    wait();
                writer = me;
            }
            writeDepth++;
        }

        synchronized void leaveWrite() {
            if (writer != Thread.currentThread())
                throw new IllegalMonitorStateException();
            if (--writeDepth == 0) {
                writer = null;
                notifyAll();
            }
        }
    }

    static class ChangeQueue {
        private final LinkedList<int[]> changes = new LinkedList<>();

        synchronized void post(int[] change) {
            changes.add(change);
            notify();
        }

        synchronized int[] take() throws InterruptedException {
            while (changes.isEmpty())
                wait();
            return changes.removeFirst();
        }
    }

    static final int SYMBOLS = 64;
    final IndexLock lock = new IndexLock();
    final ChangeQueue queue = new ChangeQueue();
    final int[] uses = new int[SYMBOLS];
    int allUses;
    final AtomicLong posted = new AtomicLong(), applied = new AtomicLong(), ops = new AtomicLong();
    volatile String error;

    void edit(Random random) throws InterruptedException {
        queue.post(new int[] {random.nextInt(SYMBOLS), 1 + random.nextInt(3)});
        posted.incrementAndGet();
        Thread.sleep(8 + random.nextInt(12));
    }

    void index(Random random) throws InterruptedException {
        int[] change = queue.take();
        lock.enterWrite();
        try {
            addUse(change[0], change[1]);
            Thread.sleep(1);
            allUses += change[1];
        } finally {
            lock.leaveWrite();
        }
        applied.incrementAndGet();
    }

    void addUse(int symbol, int n) throws InterruptedException {
        lock.enterWrite();
        uses[symbol] += n;
        lock.leaveWrite();
    }

    void complete(Random random) throws InterruptedException {
        lock.enterRead();
        try {
            int sum = sum(0, SYMBOLS);
            Thread.sleep(1 + random.nextInt(3));
            if (sum != allUses)
                error = "half an edit seen: " + sum + " " + allUses;
        } finally {
            lock.leaveRead();
        }
        ops.incrementAndGet();
        Thread.sleep(5 + random.nextInt(10));
    }

    int sum(int from, int to) throws InterruptedException {
        lock.enterRead();
        try {
            if (to - from <= 16) {
                int s = 0;
                for (int i = from; i < to; i++)
                    s += uses[i];
                return s;
            }
            int middle = (from + to) / 2;
            return sum(from, middle) + sum(middle, to);
        } finally {
            lock.leaveRead();
        }
    }

    interface Job {
        void run(Random random) throws InterruptedException;
    }

    void loop(String name, Job job) {
        Thread t = new Thread(() -> {
            Random random = new Random(name.hashCode());
            try {
                while (error == null)
                    job.run(random);
            } catch (InterruptedException e) {
                error = name + " interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        CodeIndex c = new CodeIndex();
        c.loop("editor-1", c::edit);
        c.loop("editor-2", c::edit);
        c.loop("indexer", c::index);
        c.loop("completion", c::complete);
        c.loop("highlighter", c::complete);
        c.loop("outline", c::complete);
        System.out.println("READY");
        for (long i = 0; i < seconds * 10L && c.error == null; i++) {
            Thread.sleep(100);
            if (c.posted.get() - c.applied.get() > 5000)
                c.error = "indexer is stuck";
        }
        System.out.println(c.error == null ? "DONE " + (c.ops.get() + c.applied.get()) : "ERROR " + c.error);
        System.exit(c.error == null ? 0 : 1);
    }
}
