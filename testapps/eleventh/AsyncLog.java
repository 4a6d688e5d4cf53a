// @lock java.util.ArrayList#append
// @type PRODUCER-CONSUMER capacity=24
// @role put AsyncLog$AsyncAppender.append
// @role take AsyncLog$Dispatcher.run
//
// @lock AsyncLog$RollingFileAppender
// @type MUTEX
// @role enter AsyncLog$BaseAppender.doAppend

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A logging framework of the early days: asynchronous appenders whose dispatchers swap the buffer, in front of one rolling file. */
public class AsyncLog {
    static class LoggingEvent {
        final String logger;
        final long number;

        LoggingEvent(String logger, long number) {
            this.logger = logger;
            this.number = number;
        }
    }

    abstract static class BaseAppender {
        protected boolean closed;

        public synchronized void doAppend(LoggingEvent event) throws InterruptedException {
            if (!closed) {
                write(event);
            }
        }

        protected abstract void write(LoggingEvent event) throws InterruptedException;
    }

    static class RollingFileAppender extends BaseAppender {
        private int size;
        private int backups;
        private long total;

        @Override
        protected void write(LoggingEvent event) throws InterruptedException {
            size += event.logger.length() + 20;
            total++;
            if (size > 400) {
                rollOver();
            }
        }

        private void rollOver() throws InterruptedException {
            Thread.sleep(1);
            backups = (backups + 1) % 5;
            size = 0;
        }

        synchronized long total() {
            return total;
        }
    }

    static class AsyncAppender {
        static final int BUFFER_SIZE = 24;
        private final List<LoggingEvent> buffer = new ArrayList<LoggingEvent>();
        private final Thread dispatcher;

        AsyncAppender(BaseAppender target, String name) {
            dispatcher = new Thread(new Dispatcher(buffer, target), "AsyncAppender-" + name);
            dispatcher.setDaemon(true);
            dispatcher.start();
        }

        public void append(LoggingEvent event) {
            synchronized (buffer) {
                boolean interrupted = false;
                while (buffer.size() >= BUFFER_SIZE) {
                    try {
                        buffer.wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
                buffer.add(event);
                if (buffer.size() == 1) {
                    buffer.notifyAll();
                }
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    static class Dispatcher implements Runnable {
        private final List<LoggingEvent> buffer;
        private final BaseAppender target;

        Dispatcher(List<LoggingEvent> buffer, BaseAppender target) {
            this.buffer = buffer;
            this.target = target;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    LoggingEvent[] batch;
                    synchronized (buffer) {
                        while (buffer.isEmpty()) {
                            buffer.wait();
                        }
                        if (buffer.size() > AsyncAppender.BUFFER_SIZE) {
                            failed = true;
                        }
                        batch = buffer.toArray(new LoggingEvent[0]);
                        buffer.clear();
                        buffer.notifyAll();
                    }
                    for (LoggingEvent event : batch) {
                        target.doAppend(event);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final AtomicLong logged = new AtomicLong();
    private static volatile boolean failed;

    public static void main(String[] args) throws InterruptedException {
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 600;
        RollingFileAppender file = new RollingFileAppender();
        AsyncAppender[] appenders = {new AsyncAppender(file, "app"), new AsyncAppender(file, "audit"), new AsyncAppender(file, "sql")};
        for (int i = 0; i < 9; i++) {
            final AsyncAppender mine = appenders[i % 3];
            final String name = "com.acme.shop.Service" + i;
            Thread t = new Thread(name) {
                @Override
                public void run() {
                    try {
                        while (!failed) {
                            int burst = ThreadLocalRandom.current().nextInt(1, 30);
                            for (int k = 0; k < burst; k++) {
                                mine.append(new LoggingEvent(name, logged.incrementAndGet()));
                            }
                            sleep(ThreadLocalRandom.current().nextInt(10, 30));
                        }
                    } catch (InterruptedException e) {
                        interrupt();
                    }
                }
            };
            t.setDaemon(true);
            t.start();
        }
        System.out.println("READY");
        System.out.flush();
        Thread.sleep(seconds * 1000);
        long written = file.total();
        if (failed || written > logged.get() || written < logged.get() - 6 * 24 - 9) {
            throw new IllegalStateException("events lost or invented: " + written + " of " + logged);
        }
        System.out.println("DONE " + written);
    }
}
