// @lock java.util.ArrayList
// @type PRODUCER-CONSUMER capacity=24
// @role put AsyncAppender$Appender.append
// @role take AsyncAppender$Appender.run

// @lock AsyncAppender$RollingFile
// @type MUTEX
// @role enter AsyncAppender$RollingFile.subAppend
// @role enter AsyncAppender$RollingFile.rollOver

import java.util.*;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A logging framework's asynchronous appender: a list under its own monitor, emptied whole by the dispatcher. */
public class AsyncAppender {
    static final class RollingFile {
        private final StringBuilder file = new StringBuilder();
        private int files;

        synchronized void subAppend(String line) throws InterruptedException {
            file.append(line).append('\n');
            Thread.sleep(1);
        }

        synchronized int rollOver() throws InterruptedException {
            Thread.sleep(1);
            file.setLength(0);
            return ++files;
        }
    }

    static final class Appender implements Runnable {
        private static final int BUFFER_SIZE = 24;
        private final ArrayList<String> buffer = new ArrayList<>(BUFFER_SIZE);
        private final RollingFile target;
        private boolean closed;

        Appender(RollingFile target) {
            this.target = target;
        }

        void append(String event) throws InterruptedException {
            synchronized (buffer) {
                while (true) {
                    int previous = buffer.size();
                    if (previous < BUFFER_SIZE) {
                        buffer.add(event);
                        if (previous == 0) {
                            buffer.notifyAll();
                        }
                        return;
                    }
                    buffer.wait();
                }
            }
        }

        @Override
        public void run() {
            boolean active = true;
            try {
                while (active) {
                    String[] events = null;
                    synchronized (buffer) {
                        int size = buffer.size();
                        active = !closed;
                        while (size == 0 && active) {
                            buffer.wait();
                            size = buffer.size();
                            active = !closed;
                        }
                        if (size > 0) {
                            events = buffer.toArray(new String[0]);
                            buffer.clear();
                            buffer.notifyAll();
                        }
                    }
                    if (events != null) {
                        for (String e : events) {
                            target.subAppend(e);
                        }
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void close() {
            synchronized (buffer) {
                closed = true;
                buffer.notifyAll();
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
        RollingFile file = new RollingFile();
        Appender appender = new Appender(file);
        Thread t = new Thread(appender, "AsyncAppender-Dispatcher");
        t.setDaemon(true);
        t.start();
        for (int i = 0; i < 5; i++) {
            String line = "INFO [http-" + i + "]";
            loop("http-" + i, () -> {
                for (int k = 0; k < 6; k++) {
                    appender.append(line);
                }
                pause(5, 40);
            });
        }
        loop("roller", () -> {
            check(file.rollOver() > 0, "files");
            pause(3, 10);
        });
        finish(args);
    }
}
