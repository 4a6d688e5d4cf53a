// A matching engine: order sessions enter one gate before they touch the book (market orders give up after a while),
// and every fill is appended to a blotter that is written by static methods, as in 1999.
//
// @lock MatchingGate$Gate
// @type LOCK reentrant=false
// @role lock MatchingGate$Gate.enter
// @role lock MatchingGate$Gate.tryEnter
// @role unlock MatchingGate$Gate.leave
//
// @lock java.lang.Class#append
// @type MUTEX
// @role enter MatchingGate$Blotter.append
// @role enter MatchingGate$Blotter.total

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class MatchingGate {
    static volatile String broken;
    static final AtomicLong fills = new AtomicLong();

    /** One session at a time; asks for its owner because sessions have been seen to leave twice. */
    static final class Gate {
        private Thread holder;
        private int queued;

        void enter() {
            boolean interrupted = false;
            synchronized (this) {
                Thread me = Thread.currentThread();
                if (holder == me)
                    throw new IllegalStateException("session is inside already");
                queued++;
                while (holder != null) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
                queued--;
                holder = me;
            }
            if (interrupted)
                Thread.currentThread().interrupt();
        }

        synchronized boolean tryEnter(long millis) throws InterruptedException {
            Thread me = Thread.currentThread();
            if (holder == me)
                throw new IllegalStateException("session is inside already");
            long deadline = System.nanoTime() + millis * 1_000_000L;
            queued++;
            try {
                while (holder != null) {
                    long left = (deadline - System.nanoTime()) / 1_000_000L;
                    if (left <= 0)
                        return false;
                    wait(left);
                }
                holder = me;
                return true;
            } finally {
                queued--;
            }
        }

        synchronized void leave() {
            if (holder != Thread.currentThread())
                throw new IllegalStateException("not inside");
            holder = null;
            if (queued > 0)
                notify();
        }
    }

    static final class Blotter {
        private static long sum, lines;

        static synchronized void append(int quantity) throws InterruptedException {
            sum += quantity;
            Thread.sleep(1); // the disk
            lines++;
        }

        static synchronized long total() {
            return lines == 0 ? 0 : sum;
        }
    }

    static final class Book {
        int bids, asks, touching;
    }

    static final class Session extends Thread {
        private final Gate gate;
        private final Book book;
        private final boolean market;

        Session(Gate gate, Book book, boolean market, int n) {
            super("session-" + n);
            this.gate = gate;
            this.book = book;
            this.market = market;
            setDaemon(true);
        }

        @Override
        public void run() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            try {
                for (;;) {
                    if (market) {
                        if (!gate.tryEnter(6)) {
                            Thread.sleep(2);
                            continue;
                        }
                    } else
                        gate.enter();
                    int filled;
                    try {
                        if (++book.touching != 1)
                            broken = "two sessions in the book";
                        int quantity = 1 + random.nextInt(9);
                        if (random.nextBoolean())
                            book.bids += quantity;
                        else
                            book.asks += quantity;
                        Thread.sleep(1 + random.nextInt(2));
                        filled = Math.min(book.bids, book.asks);
                        book.bids -= filled;
                        book.asks -= filled;
                        book.touching--;
                    } finally {
                        gate.leave();
                    }
                    Blotter.append(filled);
                    fills.incrementAndGet();
                    Thread.sleep(random.nextInt(4));
                }
            } catch (InterruptedException e) {
                broken = "interrupted";
            }
        }
    }

    /** Gives fills up elsewhere; has nothing to do with the book, only with the blotter. */
    static final class Clearing extends Thread {
        @Override
        public void run() {
            try {
                for (;;) {
                    Blotter.append(0);
                    Thread.sleep(1 + ThreadLocalRandom.current().nextInt(4));
                }
            } catch (InterruptedException e) {
                broken = "interrupted";
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 600;
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> broken = t.getName() + ": " + e);
        Gate gate = new Gate();
        Book book = new Book();
        for (int i = 0; i < 6; i++)
            new Session(gate, book, i % 3 == 2, i).start();
        for (int i = 0; i < 3; i++) {
            Thread t = new Clearing();
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long before = 0;
        while (System.nanoTime() < end && broken == null) {
            Thread.sleep(50);
            long now = Blotter.total();
            if (now < before)
                broken = "blotter shrinks";
            before = now;
        }
        if (broken != null) {
            System.out.println("BROKEN " + broken);
            System.exit(1);
        }
        System.out.println("DONE " + fills.get());
    }
}
