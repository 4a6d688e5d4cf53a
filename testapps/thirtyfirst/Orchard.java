// @lock Orchard$Frost
// @type DELAY
// @role delay Orchard$Poller.between

// @lock Orchard$Ladder
// @type JOIN
// @role join Orchard$Ladder.down

// @lock Orchard$Basket
// @type MUTEX
// @role enter Orchard$Basket.add
// @role enter Orchard$Basket.weigh

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Watchers of the weather on an abstract class that sleeps between looks; pickers whose ladder comes down as their last act. */
public class Orchard {
    abstract static class Poller implements Runnable {
        private final Object nap = this;

        abstract void look();

        abstract long interval();

        @Override
        public void run() {
            try {
                for (;;) {
                    look();
                    between(interval());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void between(long millis) throws InterruptedException {
            synchronized (nap) {
                nap.wait(millis);
            }
        }
    }

    static final class Frost extends Poller {
        int looks;

        @Override
        void look() {
            looks++;
        }

        @Override
        long interval() {
            return 15;
        }
    }

    static final class Wind extends Poller {
        int looks;

        @Override
        void look() {
            looks--;
        }

        @Override
        long interval() {
            return 8 + looks % 3;
        }
    }

    /** Of one picker's thread. */
    static class Ladder {
        private boolean isDown;
        private int apples;

        private synchronized void takenDown(int n) {
            apples = n;
            isDown = true;
            notifyAll();
        }

        synchronized int down() throws InterruptedException {
            while (!isDown) {
                wait();
            }
            return apples;
        }

        static Ladder climb(Basket b) {
            Ladder l = new Ladder();
            Thread t = new Thread(() -> {
                int n = 0;
                try {
                    for (; n < 3; n++) {
                        b.add(1);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    l.takenDown(n);
                }
            });
            t.setDaemon(true);
            t.start();
            return l;
        }
    }

    static class Basket {
        private int apples;
        private int grams;

        void add(int n) throws InterruptedException {
            synchronized (this) {
                apples += n;
                Thread.sleep(1);
                grams += 150 * n;
            }
        }

        boolean weigh() {
            synchronized (this) {
                return grams == apples * 150;
            }
        }
    }

    private interface Body {
        void step() throws Exception;
    }

    private static volatile Throwable failure;
    private static final AtomicLong OPS = new AtomicLong();

    private static void loop(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                while (failure == null) {
                    body.step();
                    OPS.incrementAndGet();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    private static void check(boolean ok, String otherwise) {
        if (!ok) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void pause(int from, int to) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(from, to));
    }

    private static void finish(String[] args) throws InterruptedException {
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(1000L * (args.length > 0 ? Long.parseLong(args[0]) : 600));
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.out.println("DONE " + OPS);
    }

    public static void main(String[] args) throws Exception {
        for (Poller p : new Poller[] {new Frost(), new Wind()}) {
            Thread t = new Thread(p);
            t.setDaemon(true);
            t.start();
        }
        Basket basket = new Basket();
        for (int i = 0; i < 2; i++) {
            loop("farmer-" + i, () -> {
                Ladder a = Ladder.climb(basket);
                Ladder b = Ladder.climb(basket);
                check(a.down() + b.down() == 6, "apples lost");
                check(basket.weigh(), "half an apple");
                pause(1, 6);
            });
        }
        finish(args);
    }
}
