// Price feeds loaded once more for every revaluation: three loader threads mark their part in a mask, two users wait for
// all parts; each loader also has a completion that it marks as its very last act and that the supervisor awaits.
//
// @lock FeedLoader$Parts
// @type LATCH count=3
// @role count-down FeedLoader$Parts.arrived
// @role await FeedLoader$Parts.awaitAll
// @role await FeedLoader$Parts.awaitAllFor
//
// @lock FeedLoader$Completion
// @type JOIN
// @role join FeedLoader$Completion.awaitEnd

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

public class FeedLoader {
    static final String[] FEEDS = {"equities", "rates", "fx"};
    static volatile String broken;
    static final AtomicLong revaluations = new AtomicLong();

    static final class Parts {
        private int missing = (1 << FEEDS.length) - 1;
        final double[] price = new double[FEEDS.length];

        synchronized void arrived(int part) {
            missing &= ~(1 << part);
            if (missing == 0)
                notifyAll();
        }

        synchronized void awaitAll() throws InterruptedException {
            while (missing != 0)
                wait();
        }

        synchronized boolean awaitAllFor(long millis) throws InterruptedException {
            long end = System.currentTimeMillis() + millis;
            while (missing != 0) {
                long left = end - System.currentTimeMillis();
                if (left <= 0)
                    return false;
                wait(left);
            }
            return true;
        }
    }

    static final class Completion {
        private Throwable failure;
        private boolean ended;

        synchronized void end(Throwable t) {
            failure = t;
            ended = true;
            notifyAll();
        }

        Throwable awaitEnd() throws InterruptedException {
            synchronized (this) {
                while (!ended)
                    wait();
                return failure;
            }
        }
    }

    static final class Loader implements Runnable {
        private final Parts parts;
        private final int part;
        final Completion completion = new Completion();

        Loader(Parts parts, int part) {
            this.parts = parts;
            this.part = part;
        }

        @Override
        public void run() {
            Throwable failure = null;
            try {
                Thread.sleep(2 + ThreadLocalRandom.current().nextInt(5));
                parts.price[part] = 1 + ThreadLocalRandom.current().nextDouble();
                parts.arrived(part);
                Thread.sleep(1 + ThreadLocalRandom.current().nextInt(4)); // closes the connection
            } catch (InterruptedException e) {
                failure = e;
            }
            completion.end(failure);
        }
    }

    static final AtomicReference<Parts> current = new AtomicReference<>();

    static void supervisor() throws InterruptedException {
        for (;;) {
            Parts parts = new Parts();
            Loader[] loaders = new Loader[FEEDS.length];
            for (int i = 0; i < loaders.length; i++) {
                loaders[i] = new Loader(parts, i);
                Thread t = new Thread(loaders[i], FEEDS[i]);
                t.setDaemon(true);
                t.start();
            }
            current.set(parts);
            for (Loader loader : loaders)
                if (loader.completion.awaitEnd() != null)
                    broken = "a loader failed";
            revaluations.incrementAndGet();
        }
    }

    static void user(boolean patient) throws InterruptedException {
        Parts last = null;
        for (;;) {
            Parts parts = current.get();
            if (parts == null || parts == last) {
                Thread.sleep(1);
                continue;
            }
            if (patient)
                parts.awaitAll();
            else if (!parts.awaitAllFor(2000))
                continue;
            for (double p : parts.price)
                if (p < 1)
                    broken = "a price is missing";
            last = parts;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        for (int i = 0; i < 4; i++) {
            final int n = i;
            Thread t = new Thread(i < 2 ? "supervisor" : "user-" + i) {
                @Override
                public void run() {
                    try {
                        if (n < 2)
                            supervisor();
                        else
                            user(n == 2);
                    } catch (InterruptedException e) {
                        broken = getName() + " interrupted";
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (broken == null && System.nanoTime() < end)
            Thread.sleep(20);
        if (broken == null && revaluations.get() == 0)
            broken = "nothing was valued";
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + revaluations.get());
    }
}
