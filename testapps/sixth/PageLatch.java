// @lock PageLatch$Page
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock PageLatch$BeforeAfter.beforeRead
// @role read-unlock PageLatch$BeforeAfter.afterRead
// @role write-lock PageLatch$BeforeAfter.beforeWrite
// @role write-unlock PageLatch$BeforeAfter.afterWrite

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Pages of a B-tree: a base class knows how to admit readers and writers, a page only how to be read and written. */
public class PageLatch {
    abstract static class BeforeAfter {
        protected int activeReaders;
        protected int activeWriters;
        protected int waitingReaders;
        protected int waitingWriters;

        protected abstract Object doRead(int key) throws InterruptedException;

        protected abstract void doWrite(int key) throws InterruptedException;

        public final Object read(int key) throws InterruptedException {
            beforeRead();
            try {
                return doRead(key);
            } finally {
                afterRead();
            }
        }

        public final void write(int key) throws InterruptedException {
            beforeWrite();
            try {
                doWrite(key);
            } finally {
                afterWrite();
            }
        }

        protected boolean allowReader() {
            return waitingWriters == 0 && activeWriters == 0;
        }

        protected boolean allowWriter() {
            return activeReaders == 0 && activeWriters == 0;
        }

        private synchronized void beforeRead() throws InterruptedException {
            ++waitingReaders;
            while (!allowReader()) {
                try {
                    wait();
                } catch (InterruptedException ie) {
                    --waitingReaders;
                    throw ie;
                }
            }
            --waitingReaders;
            ++activeReaders;
        }

        private synchronized void afterRead() {
            --activeReaders;
            notifyAll();
        }

        private synchronized void beforeWrite() throws InterruptedException {
            ++waitingWriters;
            while (!allowWriter()) {
                try {
                    wait();
                } catch (InterruptedException ie) {
                    --waitingWriters;
                    notifyAll(); // readers may have been held back by us alone
                    throw ie;
                }
            }
            --waitingWriters;
            ++activeWriters;
        }

        private synchronized void afterWrite() {
            --activeWriters;
            notifyAll();
        }
    }

    static class Page extends BeforeAfter {
        private int[] keys = new int[0];

        @Override
        protected Object doRead(int key) throws InterruptedException {
            int n = keys.length;
            int at = Arrays.binarySearch(keys, key);
            Thread.sleep(1);
            for (int i = 1; i < n; i++) {
                if (keys[i - 1] >= keys[i]) {
                    throw new IllegalStateException("page out of order");
                }
            }
            return at >= 0;
        }

        @Override
        protected void doWrite(int key) throws InterruptedException {
            int at = Arrays.binarySearch(keys, key);
            int[] next;
            if (at >= 0) {
                next = new int[keys.length - 1];
                System.arraycopy(keys, 0, next, 0, at);
                System.arraycopy(keys, at + 1, next, at, next.length - at);
            } else {
                at = -at - 1;
                next = new int[keys.length + 1];
                System.arraycopy(keys, 0, next, 0, at);
                System.arraycopy(keys, at, next, at + 1, keys.length - at);
                next[at] = next.length > 1 && at > 0 ? next[at - 1] : Integer.MIN_VALUE; // the slot first, the key later
            }
            boolean inserts = next.length > keys.length;
            keys = next;
            Thread.sleep(1);
            if (inserts) {
                next[at] = key;
            }
        }
    }

    static final AtomicLong operations = new AtomicLong();
    static volatile Throwable fault;

    static void user(Page[] pages, boolean writes) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try {
            while (fault == null) {
                Page page = pages[random.nextInt(pages.length)];
                if (writes) {
                    page.write(random.nextInt(50));
                    Thread.sleep(random.nextInt(2, 8));
                } else {
                    page.read(random.nextInt(50));
                    Thread.sleep(random.nextInt(1, 4));
                }
                operations.incrementAndGet();
            }
        } catch (Throwable t) {
            fault = t;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Page[] pages = {new Page(), new Page()};
        for (int i = 0; i < 9; i++) {
            boolean writes = i % 3 == 2;
            Thread t = new Thread(() -> user(pages, writes), (writes ? "update-" : "lookup-") + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep(1000 * seconds);
        if (fault != null) {
            fault.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + operations);
    }
}
