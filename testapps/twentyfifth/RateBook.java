// Exchange rates of a bank: quoting threads read the book, feeders rewrite it, screens wait for a newer edition.
// @lock RateBook$BookLock
// @type READ-WRITE preference=writers reentrant=false
// @role read-lock RateBook$BookLock.beginQuote
// @role read-unlock RateBook$BookLock.endQuote
// @role write-lock RateBook$BookLock.beginFeed
// @role write-unlock RateBook$BookLock.endFeed
//
// @lock RateBook$Edition
// @type CONDITION
// @role wait RateBook$Edition.newerThan
// @role notify RateBook$Edition.publish
import java.util.concurrent.atomic.AtomicLong;

public class RateBook {
    static final AtomicLong ops = new AtomicLong();
    static final double[] bid = new double[8], ask = new double[8];

    static final class BookLock {
        private int quoting, feedersWaiting;
        private boolean feeding;

        synchronized void beginQuote() throws InterruptedException {
            while (feeding || feedersWaiting > 0) wait();
            quoting++;
        }

        synchronized void endQuote() {
            if (--quoting == 0) notifyAll();
        }

        synchronized void beginFeed() throws InterruptedException {
            feedersWaiting++;
            try {
                while (feeding || quoting > 0) wait();
                feeding = true;
            } finally {
                feedersWaiting--;
                if (!feeding) notifyAll();
            }
        }

        synchronized void endFeed() {
            feeding = false;
            notifyAll();
        }
    }

    static final class Edition {
        private long number;

        synchronized long newerThan(long seen, long ms) throws InterruptedException {
            long end = System.currentTimeMillis() + ms;
            while (number <= seen) {
                long left = end - System.currentTimeMillis();
                if (left <= 0) return -1;
                wait(left);
            }
            return number;
        }

        synchronized long publish() {
            number++;
            notifyAll();
            return number;
        }
    }

    static void fail(String m) { System.out.println(m); System.exit(1); }

    static class Quoter extends Thread {
        final BookLock lock;
        Quoter(BookLock l, int i) { super("quoter-" + i); lock = l; setDaemon(true); }
        @Override public void run() {
            try {
                for (;;) {
                    lock.beginQuote();
                    try {
                        for (int i = 0; i < bid.length; i++) {
                            if (ask[i] - bid[i] != 2) fail("crossed rates");
                            if (i == 3) Thread.sleep(2);
                        }
                    } finally { lock.endQuote(); }
                    ops.incrementAndGet();
                    Thread.sleep(3);
                }
            } catch (InterruptedException e) { fail("quoter interrupted"); }
        }
    }

    static class Feeder extends Thread {
        final BookLock lock;
        final Edition edition;
        Feeder(BookLock l, Edition e, int i) { super("feeder-" + i); lock = l; edition = e; setDaemon(true); }
        @Override public void run() {
            try {
                for (int n = 0; ; n++) {
                    lock.beginFeed();
                    try {
                        for (int i = 0; i < bid.length; i++) {
                            bid[i] = n + i;
                            if (i == 5) Thread.sleep(3);
                            ask[i] = n + i + 2;
                        }
                    } finally { lock.endFeed(); }
                    edition.publish();
                    Thread.sleep(7);
                }
            } catch (InterruptedException e) { fail("feeder interrupted"); }
        }
    }

    static void screen(Edition e) {
        long seen = 0;
        try {
            for (;;) {
                long n = e.newerThan(seen, 2000);
                if (n == -1) continue;
                if (n <= seen) fail("old edition");
                seen = n;
                ops.incrementAndGet();
            }
        } catch (InterruptedException x) { fail("screen interrupted"); }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < ask.length; i++) ask[i] = bid[i] + 2;
        BookLock l = new BookLock();
        Edition e = new Edition();
        for (int i = 0; i < 4; i++) new Quoter(l, i).start();
        for (int i = 0; i < 2; i++) new Feeder(l, e, i).start();
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(() -> screen(e), "screen-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        Thread.sleep((args.length > 0 ? Integer.parseInt(args[0]) : 600) * 1000L);
        System.out.println("DONE " + ops.get());
    }
}
