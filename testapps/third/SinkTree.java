// @lock SinkTree$FileSink
// @type MUTEX
// @role enter SinkTree$Sink.doAppend
// @role enter SinkTree$FileSink.rollOver

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Loggers write to sinks; a sink takes one line at a time, how it writes is its subclass's business; files are rolled over. */
public final class SinkTree {
    abstract static class Sink {
        private int threshold;

        public final synchronized void doAppend(int level, String line) {
            if (level >= threshold) {
                append(line);
            }
        }

        protected abstract void append(String line);

        public final synchronized void setThreshold(int threshold) {
            this.threshold = threshold;
        }
    }

    static final class FileSink extends Sink {
        private StringBuilder file = new StringBuilder();
        private long closedLines;
        private int lines;

        @Override
        protected void append(String line) {
            file.append(line);
            flush(1);
            file.append('\n');
            lines++;
        }

        synchronized void rollOver() {
            for (String line : file.toString().split("\n")) {
                if (!line.isEmpty() && !line.endsWith(".")) {
                    throw new IllegalStateException("torn line: " + line);
                }
            }
            flush(2);
            closedLines += lines;
            lines = 0;
            file = new StringBuilder();
        }

        private void flush(long millis) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class Logger {
        private final Logger parent;
        private final Sink sink;

        Logger(Logger parent, Sink sink) {
            this.parent = parent;
            this.sink = sink;
        }

        void log(int level, String text) {
            for (Logger l = this; l != null; l = l.parent) {
                if (l.sink != null) {
                    l.sink.doAppend(level, text);
                }
            }
        }
    }

    private static volatile boolean stop;
    private static volatile Throwable fault;
    private static final AtomicLong written = new AtomicLong();

    private static Thread start(String name, Runnable round) {
        Thread t = new Thread(() -> {
            try {
                while (!stop) {
                    round.run();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
                }
            } catch (InterruptedException | RuntimeException e) {
                fault = e;
            }
        }, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        FileSink all = new FileSink();
        FileSink audit = new FileSink();
        all.setThreshold(1);
        Logger root = new Logger(null, all);
        Logger shop = new Logger(root, audit);
        Logger cart = new Logger(shop, null);
        Thread[] threads = new Thread[6];
        for (int i = 0; i < 5; i++) {
            Logger mine = i < 3 ? cart : root;
            int sinks = i < 3 ? 2 : 1;
            threads[i] = start("request-" + i, () -> {
                mine.log(1 + ThreadLocalRandom.current().nextInt(4), Thread.currentThread().getName() + " served.");
                written.addAndGet(sinks);
            });
        }
        threads[5] = start("roller", () -> {
            all.rollOver();
            audit.rollOver();
        });
        System.out.println("READY");
        Thread.sleep(seconds * 1000);
        stop = true;
        for (Thread t : threads) {
            t.join(5_000);
        }
        all.rollOver();
        audit.rollOver();
        if (fault != null || all.closedLines + audit.closedLines != written.get()) {
            throw new IllegalStateException("lines lost", fault);
        }
        System.out.println("DONE " + written);
    }
}
