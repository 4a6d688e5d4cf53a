// Market data conflated by symbol: a newer quote replaces the older one that nobody has taken yet, so feeds never wait;
// strategies take the quote that is due. What they decide is booked in a position keeper behind a private lock.
//
// @lock QuoteConflator$Conflator
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put QuoteConflator$Conflator.offer
// @role take QuoteConflator$Conflator.take
// @role take QuoteConflator$Conflator.poll
//
// @lock java.lang.Object#book
// @type MUTEX
// @role enter QuoteConflator$Positions.book
// @role enter QuoteConflator$Positions.exposure

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class QuoteConflator {
    static final String[] SYMBOLS = {"BUND", "BOBL", "SCHATZ", "BUXL", "OAT", "BTP"};
    static volatile String broken;
    static final AtomicLong taken = new AtomicLong();

    static final class Quote {
        final String symbol;
        final long number;

        Quote(String symbol, long number) {
            this.symbol = symbol;
            this.number = number;
        }
    }

    static final class Conflator {
        private final LinkedHashMap<String, Quote> due = new LinkedHashMap<>();

        synchronized void offer(Quote q) {
            due.put(q.symbol, q);
            notify();
        }

        synchronized Quote take() throws InterruptedException {
            while (due.isEmpty())
                wait();
            return first();
        }

        synchronized Quote poll(long millis) throws InterruptedException {
            long until = System.currentTimeMillis() + millis;
            while (due.isEmpty()) {
                long left = until - System.currentTimeMillis();
                if (left <= 0)
                    return null;
                wait(left);
            }
            return first();
        }

        private Quote first() {
            Iterator<Quote> i = due.values().iterator();
            Quote q = i.next();
            i.remove();
            return q;
        }
    }

    static final class Positions {
        private final Object lock = new Object();
        private final Map<String, Integer> open = new HashMap<>();
        private int hedge;

        void book(String symbol, int lots) throws InterruptedException {
            synchronized (lock) {
                Integer old = open.get(symbol);
                open.put(symbol, old == null ? lots : old + lots);
                Thread.sleep(2); // the risk check goes over the wire
                hedge -= lots;
            }
        }

        int exposure() {
            synchronized (lock) {
                int sum = hedge;
                for (int lots : open.values())
                    sum += lots;
                return sum;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        final Conflator conflator = new Conflator();
        final Positions positions = new Positions();
        for (int i = 0; i < 2; i++) {
            final int feed = i;
            daemon("feed-" + i, () -> {
                for (long n = 0;; n++) {
                    int burst = ThreadLocalRandom.current().nextInt(1, 4);
                    while (burst-- > 0)
                        conflator.offer(new Quote(SYMBOLS[3 * feed + ThreadLocalRandom.current().nextInt(3)], n));
                    Thread.sleep(8 + ThreadLocalRandom.current().nextInt(7));
                }
            });
        }
        for (int i = 0; i < 4; i++) {
            final boolean patient = i != 3;
            daemon("strategy-" + i, () -> {
                for (;;) {
                    Quote q = patient ? conflator.take() : conflator.poll(15);
                    if (q == null)
                        continue;
                    if (q.symbol == null)
                        broken = "a quote for nothing";
                    taken.incrementAndGet();
                    positions.book(q.symbol, ThreadLocalRandom.current().nextInt(-5, 6));
                }
            });
        }
        daemon("risk", () -> {
            for (;;) {
                if (positions.exposure() != 0)
                    broken = "unhedged";
                Thread.sleep(4);
            }
        });
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L, last = -1;
        int idle = 0;
        while (broken == null && System.nanoTime() < end) {
            Thread.sleep(400);
            idle = taken.get() == last ? idle + 1 : 0;
            if (idle > 25)
                broken = "no quote taken";
            last = taken.get();
        }
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + taken.get());
    }

    interface Body {
        void run() throws InterruptedException;
    }

    static void daemon(final String name, final Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException | RuntimeException e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }
}
