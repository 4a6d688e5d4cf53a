// @lock TariffBook$PageGuard
// @type READ-WRITE preference=writers
// @role read-lock TariffBook$PageGuard.beginQuote
// @role read-unlock TariffBook$PageGuard.endQuote
// @role write-lock TariffBook$PageGuard.beginRevision
// @role write-unlock TariffBook$PageGuard.endRevision
// @lock TariffBook$Pacer
// @type DELAY
// @role delay TariffBook$Pacer.breathe
// @lock TariffBook$Tally
// @type NOT-SHARED
// @quiet

import java.util.Random;
import java.util.TreeMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Freight tariffs: many quotations, some revisions, which must not wait long. The auditor counts for itself. */
public class TariffBook {
    static class PageGuard {
        private int quoting;
        private int revisionsPending;
        private boolean revising;

        synchronized void beginQuote() throws InterruptedException {
            while (revising || revisionsPending > 0) {
                wait();
            }
            quoting++;
        }

        synchronized void endQuote() {
            quoting--;
            if (quoting == 0) {
                notifyAll();
            }
        }

        synchronized void beginRevision() throws InterruptedException {
            revisionsPending++;
            try {
                while (revising || quoting > 0) {
                    wait();
                }
                revising = true;
            } finally {
                revisionsPending--;
                if (!revising) {
                    notifyAll();
                }
            }
        }

        synchronized void endRevision() {
            revising = false;
            notifyAll();
        }
    }

    /** The interval between two jobs of a clerk. */
    static class Pacer {
        synchronized void breathe(long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            long left = millis;
            while (left > 0 && left <= millis) {
                wait(left);
                left = end - System.currentTimeMillis();
            }
        }
    }

    /** From the library; safe for many threads, for what it is worth. */
    static class Tally {
        private final Map<Integer, Integer> seen = new TreeMap<Integer, Integer>();

        synchronized void count(int price) {
            Integer old = seen.get(price);
            seen.put(price, old == null ? 1 : old + 1);
            if (seen.size() > 200) {
                seen.clear();
            }
        }

        synchronized int kinds() {
            return seen.size();
        }
    }

    private final PageGuard guard = new PageGuard();
    private final int[] zone = new int[5];          // all zones cost the same
    private final AtomicLong quotes = new AtomicLong();
    private volatile String wrong;
    private volatile boolean stop;

    abstract class Clerk extends Thread {
        final Random random = new Random();
        final Pacer pacer = new Pacer();

        Clerk(String name) {
            super(name);
            setDaemon(true);
        }

        abstract void work() throws InterruptedException;

        @Override
        public void run() {
            try {
                while (!stop) {
                    work();
                }
            } catch (InterruptedException e) {
                wrong = "interrupted";
            }
        }
    }

    class Quoter extends Clerk {
        Quoter(int n) {
            super("quoter-" + n);
        }

        int quote() throws InterruptedException {
            guard.beginQuote();
            try {
                int price = zone[0];
                Thread.sleep(1 + random.nextInt(4));
                for (int z : zone) {
                    if (z != price) {
                        wrong = "a quotation from two revisions";
                    }
                }
                quotes.incrementAndGet();
                return price;
            } finally {
                guard.endQuote();
            }
        }

        @Override
        void work() throws InterruptedException {
            quote();
            pacer.breathe(2 + random.nextInt(5));
        }
    }

    class Auditor extends Quoter {
        private final Tally tally = new Tally();

        Auditor() {
            super(99);
        }

        @Override
        void work() throws InterruptedException {
            for (int i = 0; i < 3; i++) {
                tally.count(quote());
            }
            if (tally.kinds() > 200) {
                wrong = "the tally is too large";
            }
            Thread.sleep(8);
        }
    }

    class Reviser extends Clerk {
        Reviser(int n) {
            super("reviser-" + n);
        }

        @Override
        void work() throws InterruptedException {
            guard.beginRevision();
            try {
                int price = zone[0] + 1;
                for (int i = 0; i < zone.length; i++) {
                    zone[i] = price;
                    if (i == 2) {
                        Thread.sleep(2);
                    }
                }
            } finally {
                guard.endRevision();
            }
            pacer.breathe(10 + random.nextInt(10));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        TariffBook book = new TariffBook();
        Clerk[] clerks = {book.new Quoter(1), book.new Quoter(2), book.new Quoter(3), book.new Quoter(4), book.new Auditor(),
            book.new Reviser(1), book.new Reviser(2)};
        for (Clerk c : clerks) {
            c.start();
        }
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        book.stop = true;
        for (Clerk c : clerks) {
            c.join(10000);
            if (c.isAlive()) {
                book.wrong = c.getName() + " hangs";
            }
        }
        if (book.wrong != null) {
            System.out.println(book.wrong);
            System.exit(1);
        }
        System.out.println("DONE " + book.quotes);
    }
}
