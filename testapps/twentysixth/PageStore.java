// @lock PageStore$Latch
// @type LOCK+CONDITION reentrant=false
// @role lock PageStore$Latch.await
// @role unlock PageStore$Latch.countDown
// @role wait PageStore$Latch.awaitDurable
// @role notify PageStore$Latch.durable

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Pages of a database: a page latch (it latches, it does not count) and committers that wait until a page is on disk. */
public class PageStore {

    static final class Latch {
        private Thread count;
        private long parties;

        synchronized void await() throws InterruptedException {
            if (count == Thread.currentThread()) {
                throw new IllegalStateException("latched already");
            }
            while (count != null) {
                wait();
            }
            count = Thread.currentThread();
        }

        synchronized void countDown() {
            if (count != Thread.currentThread()) {
                throw new IllegalStateException("latched by " + count);
            }
            count = null;
            notifyAll();
        }

        synchronized void durable(long version) {
            if (version > parties) {
                parties = version;
                notifyAll();
            }
        }

        synchronized void awaitDurable(long version) throws InterruptedException {
            while (parties < version) {
                wait();
            }
        }
    }

    static final class Page {
        final Latch latch = new Latch();
        private long version;
        private long check;

        long change() throws InterruptedException {
            latch.await();
            try {
                version++;
                Thread.sleep(1);
                check++;
                if (check != version) {
                    fault = "changed by two at a time";
                }
                return version;
            } finally {
                latch.countDown();
            }
        }

        long copy() throws InterruptedException {
            latch.await();
            try {
                Thread.sleep(1);
                return version;
            } finally {
                latch.countDown();
            }
        }
    }

    static volatile String fault;
    static final AtomicLong OPS = new AtomicLong();
    static final Page[] PAGES = {new Page(), new Page()};
    static final AtomicLong[] DISK = {new AtomicLong(), new AtomicLong()};

    static void committer() throws InterruptedException {
        while (true) {
            int p = ThreadLocalRandom.current().nextInt(2);
            long v = PAGES[p].change();
            if (v % 2 == 0) {
                PAGES[p].latch.awaitDurable(v);
                if (DISK[p].get() < v) {
                    fault = "version " + v + " is not on disk";
                }
            }
            OPS.incrementAndGet();
            Thread.sleep(2);
        }
    }

    static void flusher(int p) throws InterruptedException {
        while (true) {
            long v = PAGES[p].copy();
            Thread.sleep(4);
            DISK[p].set(v);
            PAGES[p].latch.durable(v);
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 8; i++) {
            final int id = i;
            Thread t = new Thread(id < 2 ? "flusher-" + id : "committer-" + id) {
                @Override public void run() {
                    try {
                        if (id < 2) {
                            flusher(id);
                        } else {
                            committer();
                        }
                    } catch (InterruptedException e) {
                        fault = "interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.currentTimeMillis() + seconds * 1000L;
        while (System.currentTimeMillis() < end && fault == null) {
            Thread.sleep(50);
        }
        System.out.println(fault == null ? "DONE " + OPS.get() : "FAULT " + fault);
        System.exit(fault == null ? 0 : 1);
    }
}
