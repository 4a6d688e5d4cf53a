// @lock PagePins$PageLatch
// @type READ-WRITE preference=readers reentrant=false
// @role read-lock PagePins$PageLatch.pin
// @role read-unlock PagePins$PageLatch.unpin
// @role write-lock PagePins$PageLatch.seize
// @role write-unlock PagePins$PageLatch.cede

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Pages of a buffer manager: scans pin a page together, whoever splits or flushes it wants it alone. Pins and bit share one long. */
public final class PagePins {
    static final class PageLatch {
        private static final long EXCLUSIVE = 1L << 40;
        private long word;

        private boolean exclusive() {
            return (word & EXCLUSIVE) != 0;
        }

        void pin() throws InterruptedException {
            synchronized (this) {
                while (exclusive()) {
                    wait();
                }
                word++;
            }
        }

        void unpin() {
            synchronized (this) {
                if (--word == 0) {
                    notifyAll();
                }
            }
        }

        void seize() throws InterruptedException {
            synchronized (this) {
                while (word != 0) {
                    wait();
                }
                word = EXCLUSIVE;
            }
        }

        void cede() {
            synchronized (this) {
                word &= ~EXCLUSIVE;
                notifyAll();
            }
        }
    }

    static final class Page {
        final PageLatch latch = new PageLatch();
        final int[] keys = new int[16];
    }

    private final Page[] pages = {new Page(), new Page(), new Page()};
    private final AtomicLong visits = new AtomicLong();
    private volatile boolean corrupt;
    private volatile boolean stop;

    private void scan() throws InterruptedException {
        for (Page p : pages) {
            p.latch.pin();
            int first = p.keys[0];
            Thread.sleep(1);
            for (int k : p.keys) {
                corrupt |= k != first;
            }
            p.latch.unpin();
            visits.incrementAndGet();
        }
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 7));
    }

    private void split() throws InterruptedException {
        Page p = pages[ThreadLocalRandom.current().nextInt(pages.length)];
        p.latch.seize();
        for (int i = 0; i < p.keys.length; i++) {
            p.keys[i]++;
            if (i == 8) {
                Thread.sleep(2);
            }
        }
        p.latch.cede();
        visits.incrementAndGet();
        Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
    }

    private final class Session extends Thread {
        private final boolean splits;

        Session(String name, boolean splits) {
            super(name);
            this.splits = splits;
        }

        @Override
        public void run() {
            try {
                while (!stop) {
                    if (splits) {
                        split();
                    } else {
                        scan();
                    }
                }
            } catch (InterruptedException e) {
                corrupt = true;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        PagePins db = new PagePins();
        Session[] sessions = new Session[8];
        for (int i = 0; i < sessions.length; i++) {
            sessions[i] = db.new Session("session-" + i, i < 3);
            sessions[i].setDaemon(true);
            sessions[i].start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        db.stop = true;
        for (Session s : sessions) {
            s.join(5_000);
        }
        if (db.corrupt) {
            throw new IllegalStateException("a page changed under a pin");
        }
        System.out.println("DONE " + db.visits);
    }
}
