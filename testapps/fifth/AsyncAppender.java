// @lock java.util.ArrayList#append
// @type PRODUCER-CONSUMER capacity=32
// @role put AsyncAppender.append
// @role take AsyncAppender$Dispatcher.nextBatch

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A logging framework's asynchronous appender: loggers fill a list of 32 events, a dispatcher empties it in one go and writes. */
public final class AsyncAppender {
    static final class Event {
        final int logger;
        final long number;

        Event(int logger, long number) {
            this.logger = logger;
            this.number = number;
        }
    }

    private static final int SIZE = 32;

    private final List<Event> buffer = new ArrayList<>(SIZE);

    public void append(Event event) {
        synchronized (buffer) {
            while (true) {
                int before = buffer.size();
                if (before < SIZE) {
                    buffer.add(event);
                    if (before == 0) {
                        buffer.notifyAll();
                    }
                    return;
                }
                try {
                    buffer.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    static final class Dispatcher implements Runnable {
        private final List<Event> buffer;
        private final long[] last = new long[LOGGERS];

        Dispatcher(List<Event> buffer) {
            this.buffer = buffer;
        }

        private Event[] nextBatch() throws InterruptedException {
            synchronized (buffer) {
                while (buffer.isEmpty()) {
                    buffer.wait();
                }
                Event[] events = buffer.toArray(new Event[0]);
                buffer.clear();
                buffer.notifyAll();
                return events;
            }
        }

        @Override
        public void run() {
            try {
                while (failure == null) {
                    Event[] batch = nextBatch();
                    if (batch.length > SIZE) {
                        failure = "a batch of " + batch.length;
                    }
                    for (Event e : batch) {
                        write(e);
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(4) == 0 ? 8 : 1);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void write(Event e) {
            if (e.number != last[e.logger] + 1) {
                failure = "event " + e.number + " after " + last[e.logger];
            }
            last[e.logger] = e.number;
            written.incrementAndGet();
        }
    }

    private static final int LOGGERS = 4;
    private static final AtomicLong written = new AtomicLong();
    private static volatile String failure;

    private static void log(AsyncAppender appender, int logger) {
        try {
            long number = 0;
            while (failure == null) {
                for (int burst = ThreadLocalRandom.current().nextInt(1, 16); burst > 0; burst--) {
                    appender.append(new Event(logger, ++number));
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(1, 9));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        AsyncAppender appender = new AsyncAppender();
        start("dispatcher", new Dispatcher(appender.buffer));
        for (int i = 0; i < LOGGERS; i++) {
            int logger = i;
            start("logger-" + i, () -> log(appender, logger));
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        System.out.println("DONE " + written);
    }

    private static void start(String name, Runnable r) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
    }
}
