// @lock Talc$Probe
// @type DELAY
// @role delay Talc$Probe.rest
//
// @lock Talc$Start
// @type LATCH count=1
// @role count-down Talc$Start.go
// @role await Talc$Start.ready
//
// @lock java.lang.Object#post
// @type PRODUCER-CONSUMER capacity=unbounded
// @role put Talc$Log.post
// @role take Talc$Log.next

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A measuring van: at every stop the probes wait for the start, measure a few times with rests in between and post what they found to a log. */
public final class Talc {
    static final class Start {
        private long at;

        void go() {
            synchronized (this) {
                if (at == 0) {
                    at = System.nanoTime();
                    notifyAll();
                }
            }
        }

        long ready() throws InterruptedException {
            synchronized (this) {
                while (at == 0) {
                    wait();
                }
                return at;
            }
        }
    }

    static final class Log {
        private static final class Line {
            final String text;
            Line next;

            Line(String text) {
                this.text = text;
            }
        }

        private final Object tail = new Object();
        private Line first;
        private Line last;

        void post(String text) {
            Line line = new Line(text);
            synchronized (tail) {
                if (first == null) {
                    first = line;
                } else {
                    last.next = line;
                }
                last = line;
                tail.notify();
            }
        }

        String next() throws InterruptedException {
            synchronized (tail) {
                while (first == null) {
                    tail.wait();
                }
                String text = first.text;
                first = first.next;
                return text;
            }
        }
    }

    static final class Probe {
        private final Log log;
        private final String name;
        private long rests;

        Probe(Log log, String name) {
            this.log = log;
            this.name = name;
        }

        void work(Start start) throws InterruptedException {
            long at = start.ready();
            for (int i = 0; i < 3; i++) {
                if (System.nanoTime() - at < 0) {
                    failure = "measured before the start";
                }
                log.post(name + "=" + posted.incrementAndGet());
                rest(ThreadLocalRandom.current().nextInt(1, 4));
            }
        }

        private synchronized void rest(int millis) {
            rests++;
            try {
                wait(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final AtomicLong posted = new AtomicLong();
    private static final AtomicLong read = new AtomicLong();
    private static volatile String failure;
    private static volatile boolean over;
    private static volatile Start stop = new Start();

    private static void probe(Log log, int number) throws InterruptedException {
        Probe probe = new Probe(log, "p" + number);
        Start done = null;
        while (!over) {
            Start current = stop;
            if (current == done) {
                probe.rest(2);
                continue;
            }
            probe.work(current);
            done = current;
        }
        if (probe.rests == 0) {
            failure = "a probe never rested";
        }
    }

    private static void reader(Log log) throws InterruptedException {
        while (failure == null) {
            if (log.next().indexOf('=') < 0) {
                failure = "half a line";
            }
            read.incrementAndGet();
            if (ThreadLocalRandom.current().nextInt(3) == 0) {
                Thread.sleep(1);
            }
        }
    }

    private static void driver() throws InterruptedException {
        while (!over) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(6, 12));
            stop.go();
            Thread.sleep(2);
            stop = new Start();
        }
        stop.go();
    }

    interface Body {
        void run() throws InterruptedException;
    }

    private static void start(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                failure = name + " was interrupted";
            }
        }, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        Log log = new Log();
        for (int i = 0; i < 5; i++) {
            int number = i;
            start("probe-" + i, () -> probe(log, number));
        }
        start("reader-0", () -> reader(log));
        start("reader-1", () -> reader(log));
        start("driver", Talc::driver);
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        over = true;
        for (int i = 0; i < 300 && (i < 10 || posted.get() != read.get()); i++) {
            Thread.sleep(10);
        }
        if (failure == null && posted.get() != read.get()) {
            failure = "a line was lost";
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + posted);
    }
}
