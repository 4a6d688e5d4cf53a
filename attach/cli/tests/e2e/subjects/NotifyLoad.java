import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A load on monitors of every kind that keeps books: pairs that hand a ball to and fro, threads that meet, a contended counter,
 * a queue that is filled and emptied, and garbage for the collector. Prints each second what was done; ends by itself if
 * anything was lost.
 *
 * <p>{@code NotifyLoad [all|paced|ping|contend]}; paced: all, and every thread sleeps now and then.
 */
public final class NotifyLoad {
    private static final AtomicLong DONE = new AtomicLong();
    private static volatile Object garbage;
    private static boolean paced;

    private static void start(String name, Runnable body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                System.out.println("BROKEN " + e);
                Runtime.getRuntime().halt(1);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** A ball that two threads hand to each other. */
    private static final class Ball {
        private int side;
        private long passes;

        synchronized void pass(int from) {
            while (side != from) {
                sleep(this);
            }
            side = 1 - from;
            check(passes++ % 2 == from, "passes");
            notify();
        }
    }

    /** Threads that wait for each other. */
    private static final class Meeting {
        private final int parties;
        private int here;
        private long round;

        Meeting(int parties) {
            this.parties = parties;
        }

        synchronized void meet() {
            long mine = round;
            if (++here == parties) {
                here = 0;
                round++;
                notifyAll();
            }
            while (round == mine) {
                sleep(this);
            }
            check(round >= mine + 1 && round <= mine + 2, "round");
        }
    }

    /** A counter that everybody wants. */
    private static final class Counter {
        private long value;
        private long twin;

        void add(int spin) {
            synchronized (this) {
                check(value == twin, "twins");
                value++;
                long x = value;
                for (int i = 0; i < spin; i++) {
                    x = x * 31 + i;
                }
                twin += x == 42 ? 1 : 1;
            }
        }
    }

    /** A queue with few places. */
    private static final class Queue {
        private final ArrayDeque<Long> items = new ArrayDeque<>();
        private long in;
        private long out;

        synchronized void put() {
            while (items.size() == 8) {
                sleep(this);
            }
            items.add(in++);
            notifyAll();
        }

        synchronized void take() {
            while (items.isEmpty()) {
                sleep(this);
            }
            check(items.remove() == out++, "items");
            notifyAll();
        }
    }

    private static void sleep(Object lock) {
        try {
            lock.wait();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException(what);
        }
    }

    private static void forever(Runnable step) {
        for (long i = 1; ; i++) {
            step.run();
            DONE.incrementAndGet();
            if (paced && i % 50 == 0) {
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private static void ping(int pairs) {
        for (int pair = 0; pair < pairs; pair++) {
            Ball ball = new Ball();
            start("ping-" + pair, () -> forever(() -> ball.pass(0)));
            start("pong-" + pair, () -> forever(() -> ball.pass(1)));
        }
    }

    private static void contend(int threads) {
        Counter counter = new Counter();
        for (int i = 0; i < threads; i++) {
            start("counter-" + i, () -> forever(() -> counter.add(200)));
        }
    }

    private static void others() {
        Meeting meeting = new Meeting(3);
        Queue queue = new Queue();
        for (int i = 0; i < 3; i++) {
            start("meets-" + i, () -> forever(meeting::meet));
        }
        start("puts", () -> forever(queue::put));
        start("takes", () -> forever(queue::take));
        start("litters", () -> forever(() -> garbage = new long[512]));
        start("passes-by", () -> forever(() -> {
            Thread brief = new Thread(() -> garbage = new Object());
            brief.start();
            try {
                brief.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    public static void main(String[] args) throws InterruptedException {
        String mode = args.length > 0 ? args[0] : "all";
        paced = mode.equals("paced");
        if (!mode.equals("contend")) {
            ping(mode.equals("ping") ? 1 : 2);
        }
        if (!mode.equals("ping")) {
            contend(mode.equals("contend") ? 4 : 3);
        }
        if (mode.equals("all") || paced) {
            others();
        }
        System.out.println("READY");
        long last = 0;
        while (true) {
            Thread.sleep(1000);
            long done = DONE.get();
            System.out.println("DONE " + (done - last));
            last = done;
        }
    }
}
