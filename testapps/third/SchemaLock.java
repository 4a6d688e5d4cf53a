// @lock SchemaLock$OwnedLock
// @type READ-WRITE preference=readers reentrant=true
// @role read-lock SchemaLock$AbstractSharedLock.beginRead
// @role read-unlock SchemaLock$AbstractSharedLock.endRead
// @role write-lock SchemaLock$AbstractSharedLock.beginWrite
// @role write-unlock SchemaLock$AbstractSharedLock.endWrite

import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A schema that queries read and migrations alter; the writer may write again and read what it writes. Waiting is inherited. */
public final class SchemaLock {
    abstract static class AbstractSharedLock {
        protected abstract boolean mayRead(Thread who);

        protected abstract boolean mayWrite(Thread who);

        protected abstract void reading(int change);

        protected abstract boolean writing(Thread who, int change);

        public final synchronized void beginRead() {
            Thread me = Thread.currentThread();
            boolean interrupted = false;
            while (!mayRead(me)) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            reading(1);
            if (interrupted) {
                me.interrupt();
            }
        }

        public final synchronized void endRead() {
            reading(-1);
            notifyAll();
        }

        public final synchronized void beginWrite() throws InterruptedException {
            while (!mayWrite(Thread.currentThread())) {
                wait();
            }
            writing(Thread.currentThread(), 1);
        }

        public final synchronized void endWrite() {
            if (writing(Thread.currentThread(), -1)) {
                notifyAll();
            }
        }
    }

    static final class OwnedLock extends AbstractSharedLock {
        private int readers;
        private Thread writer;
        private int depth;

        @Override
        protected boolean mayRead(Thread who) {
            return writer == null || writer == who;
        }

        @Override
        protected boolean mayWrite(Thread who) {
            return writer == who || writer == null && readers == 0;
        }

        @Override
        protected void reading(int change) {
            readers += change;
        }

        @Override
        protected boolean writing(Thread who, int change) {
            depth += change;
            writer = depth == 0 ? null : who;
            return depth == 0;
        }
    }

    private final AbstractSharedLock lock = new OwnedLock();
    private final TreeMap<Integer, Integer> columns = new TreeMap<>();
    private final AtomicLong ops = new AtomicLong();
    private volatile boolean inconsistent;
    private volatile boolean stop;

    private int sum() throws InterruptedException {
        lock.beginRead();
        try {
            int sum = 0;
            for (int width : columns.values()) {
                sum += width;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 4));
            return sum;
        } finally {
            lock.endRead();
        }
    }

    private void set(int column, int width) throws InterruptedException {
        lock.beginWrite();
        try {
            columns.put(column, width);
        } finally {
            lock.endWrite();
        }
    }

    private void migrate(int step) throws InterruptedException {
        lock.beginWrite();
        try {
            int a = step % 7;
            int old = columns.getOrDefault(a, 0);
            int other = columns.getOrDefault(a + 1, 0);
            set(a, old + step);
            Thread.sleep(1);
            set(a + 1, other - step);
            inconsistent |= sum() != 0;
        } finally {
            lock.endWrite();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        SchemaLock schema = new SchemaLock();
        Thread[] threads = new Thread[7];
        for (int i = 0; i < threads.length; i++) {
            boolean migrates = i < 2;
            threads[i] = new Thread(() -> {
                try {
                    for (int n = 0; !schema.stop; n++) {
                        if (migrates) {
                            schema.migrate(n);
                            Thread.sleep(ThreadLocalRandom.current().nextInt(4, 12));
                        } else {
                            schema.inconsistent |= schema.sum() != 0;
                            Thread.sleep(ThreadLocalRandom.current().nextInt(3, 9));
                        }
                        schema.ops.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    schema.inconsistent = true;
                }
            }, (migrates ? "migration-" : "query-") + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        schema.stop = true;
        for (Thread t : threads) {
            t.join(5_000);
        }
        if (schema.inconsistent) {
            throw new IllegalStateException("half a migration was seen");
        }
        System.out.println("DONE " + schema.ops);
    }
}
