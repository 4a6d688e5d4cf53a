// @lock PriceTicker$TradingHours
// @type CONDITION form=resettable-event
// @role wait PriceTicker$TradingHours.whileOpen
// @role notify PriceTicker$TradingHours.open
//
// @lock PriceTicker$Quote
// @type CONDITION
// @role wait PriceTicker$Quote.newerThan
// @role notify PriceTicker$Quote.publish

/** Traders who act only while the exchange is open, and screens that wait for a newer quote than the one they show. */
public class PriceTicker {
    interface Job {
        void run() throws Exception;
    }

    static final java.util.concurrent.atomic.AtomicLong ops = new java.util.concurrent.atomic.AtomicLong();
    static volatile String broken;

    static void check(boolean ok, String what) {
        if (!ok)
            throw new IllegalStateException(what);
    }

    static int rnd(int from, int to) {
        return java.util.concurrent.ThreadLocalRandom.current().nextInt(from, to + 1);
    }

    static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void loop(String name, Job job) {
        Thread t = new Thread(() -> {
            try {
                for (;;) {
                    job.run();
                    ops.incrementAndGet();
                }
            } catch (Exception e) {
                broken = name + ": " + e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    static void supervise(String[] args) throws InterruptedException {
        long end = System.currentTimeMillis() + 1000L * (args.length > 0 ? Integer.parseInt(args[0]) : 600);
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> broken = t.getName() + ": " + e);
        System.out.println("READY");
        long seen = -1;
        int still = 0;
        while (broken == null && System.currentTimeMillis() < end) {
            Thread.sleep(50);
            still = ops.get() == seen ? still + 1 : 0;
            seen = ops.get();
            if (still > 100)
                broken = "nothing happens any more";
        }
        if (broken != null) {
            System.out.println("FAILED " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + ops);
        System.exit(0);
    }

    static class TradingHours {
        private enum State { OPEN, CLOSED }

        private State state = State.CLOSED;
        private int sessions;

        synchronized int whileOpen() throws InterruptedException {
            while (state == State.CLOSED)
                wait();
            return sessions;
        }

        synchronized void open() {
            state = State.OPEN;
            sessions++;
            notifyAll();
        }

        synchronized void close() {
            state = State.CLOSED;
        }
    }

    static class Quote {
        static final class Price {
            final int version, bid, ask;

            Price(int version, int bid, int ask) {
                this.version = version;
                this.bid = bid;
                this.ask = ask;
            }
        }

        private Price latest = new Price(0, 100, 101);

        Price newerThan(int seen, long patience) throws InterruptedException {
            long until = System.currentTimeMillis() + patience;
            synchronized (this) {
                while (latest.version <= seen) {
                    long left = until - System.currentTimeMillis();
                    if (left <= 0)
                        return null;
                    wait(left);
                }
                return latest;
            }
        }

        void publish(int bid) {
            synchronized (this) {
                latest = new Price(latest.version + 1, bid, bid + 1);
                notifyAll();
            }
        }
    }

    static class Screen extends Thread {
        private final Quote quote;
        private int shown;

        Screen(Quote quote, int n) {
            super("screen-" + n);
            this.quote = quote;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    Quote.Price p = quote.newerThan(shown, 250);
                    if (p == null)
                        continue;
                    check(p.version > shown && p.ask == p.bid + 1, "stale price");
                    shown = p.version;
                    ops.incrementAndGet();
                    nap(rnd(0, 5));
                }
            } catch (InterruptedException e) {
                broken = "screen interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        final TradingHours hours = new TradingHours();
        final Quote quote = new Quote();
        for (int i = 0; i < 3; i++) {
            new Screen(quote, i).start();
            loop("trader-" + i, new Job() {
                private int last;

                @Override
                public void run() throws InterruptedException {
                    int s = hours.whileOpen();
                    check(s >= last && s > 0, "traded before the opening");
                    last = s;
                    if (rnd(0, 2) == 0)
                        quote.publish(rnd(80, 120));
                    nap(rnd(2, 6));
                }
            });
        }
        loop("exchange", () -> {
            hours.open();
            nap(rnd(5, 10));
            hours.close();
            nap(rnd(8, 16));
        });
        supervise(args);
    }
}
